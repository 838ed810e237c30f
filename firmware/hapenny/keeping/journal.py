"""Events that survive a power cut at any byte: an append-only journal in a folder of small files.

`NNNNNNNN.seg` (named by its first seq) takes the appends; it stays below SEGMENT_BYTES so that littlefs keeps it inside
the folder's own block and an append needs an erase only now and then. `tidy`, called between turns, moves full
segments as batches into `old/NNNNNNNN.arc` and lets the oldest archive go when there is no room. Nothing is removed
before what replaces it is on flash.

After a repair seqs may have a gap (a seq that a host may have seen is not used twice). An event whose record is bad
takes the rest of its match with it; other matches stay.
"""

import os

from hapenny.keeping import records

SEGMENT_BYTES = 384
FRESH_BYTES = 200  # tidy starts a new segment when less than about half is left
ARCHIVE_BYTES = 16384  # one archive file
ROOM_BYTES = 900000  # all archives: 200 matches and more (docs/performance.md)
RESERVE_BYTES = 65536  # room left to the rest of the file system
FRESH_NAME = "new.tmp"


def names_in(folder, suffix):
    """First seqs of the files with this suffix, sorted."""
    return sorted([int(name[:-4], 16) for name in os.listdir(folder) if name.endswith(suffix)])


def make_folder(path):
    """Makes the folder if there is none; True if it did."""
    try:
        os.mkdir(path)
    except OSError:
        os.listdir(path)  # there already, or not to be had: then this raises
        return False
    return True


class Journal:
    """The events of this board; see the module for the files. `trouble` says what a start or a read found damaged."""

    def __init__(self, folder):
        self._folder = folder
        self._old = folder + "/old"
        make_folder(folder)
        make_folder(self._old)
        self.id = 0  # random, made once; a host tells a new journal from the old one by it
        self.boot = 0
        self.acknowledged = 0
        self.last_seq = 0
        self.match_first = 1
        self.trouble = ""
        self.lost = 0  # bytes cut off
        self.dropped = 0  # events let go without having been acknowledged
        self._previous = 0  # seq of the last good event
        self._bad_match = -1  # first seq of the match that lost an event
        self._new_match = False
        self._bytes = SEGMENT_BYTES  # of the newest segment
        self._segments = []  # first seqs, oldest first
        self._archives = []
        self._load()
        if not self.id:
            self.id = 1 + (int.from_bytes(os.urandom(4), "little") & 0x1FFFFFFF)
        self.boot += 1
        self._start_segment(b"")

    # -- start ---------------------------------------------------------------

    def _load(self):
        for folder in (self._folder, self._old):
            if FRESH_NAME in os.listdir(folder):
                os.remove(folder + "/" + FRESH_NAME)
        self._archives = names_in(self._old, ".arc")
        segments = names_in(self._folder, ".seg")
        self._find_match(segments)
        for first in self._match_archives():
            self._check_archive(first)
        for first in segments:
            self._load_segment(first)

    def _find_match(self, segments):
        """Takes the state at the head of the newest segment that has a good one."""
        for first in reversed(segments):
            state = records.parse_segment(self._read(self._segment(first)))[0]
            if state is not None:
                self.id, self.boot, self.acknowledged, self.match_first = state[:4]
                return

    def _match_archives(self):
        """The archives that hold the match in play, and always the newest one."""
        found = [
            first
            for i, first in enumerate(self._archives)
            if i + 1 == len(self._archives) or self._archives[i + 1] > self.match_first
        ]
        return found

    def _check_archive(self, first):
        """Cuts an archive at its first bad batch; what follows is kept only in the segments it was made from."""
        name = self._archive(first)
        good = 0
        for head, data in self._batches(name):
            if records.batch_events(data) is None or not self._chain(head[1], head[2], head[3], head[4], name):
                break
            good += len(data)
        self._cut(name, good, os.stat(name)[6])

    def _load_segment(self, first):
        name = self._segment(first)
        data = self._read(name)
        state, _, events, good = records.parse_segment(data)
        if state is None:
            self._skip(len(data))
            self._damaged(name)
            os.remove(name)
        elif first <= self._previous and first + len(events) - 1 <= self._previous:
            os.remove(name)  # all of it is in an archive: the power went before it was removed
        elif self._chain(first, state[3], state[4], len(events), name):
            self._segments.append(first)
            self._cut(name, good, len(data))
        else:
            os.remove(name)

    def _chain(self, first, match_first, previous, count, name):
        """True if events from `first` on follow the last good one, or belong to another match than the damaged one."""
        gap = previous != self._previous and match_first <= previous and self._previous > 0
        if gap and self._bad_match != match_first:
            self._bad_match = match_first
            self._damaged(name)
        self.last_seq = max(self.last_seq, first + count - 1)
        if match_first == self._bad_match and match_first <= previous:
            return False
        self._previous = first + count - 1 if count else self._previous
        return True

    def _cut(self, name, good, size):
        """Removes what lies behind the good bytes of a file."""
        if good == size:
            return
        self._skip(size - good)
        self._damaged(name)
        with open(name, "rb") as file:
            data = file.read(good)
        self._replace(name, data)

    def _skip(self, lost):
        """Counts lost bytes, and leaves out the seqs that a host may have seen of them."""
        self.lost += lost
        self.last_seq += (lost + records.OVERHEAD) // (records.OVERHEAD + 1)

    def _damaged(self, name):
        if not self.trouble:
            self.trouble = "the journal was cut after event %d: %s was damaged" % (self._previous, name)

    # -- files ---------------------------------------------------------------

    def _segment(self, first):
        return "%s/%08x.seg" % (self._folder, first)

    def _archive(self, first):
        return "%s/%08x.arc" % (self._old, first)

    def _read(self, name):
        with open(name, "rb") as file:
            return file.read()

    def _replace(self, name, data):
        """A file's new content, whole or not at all."""
        fresh = name[: name.rfind("/") + 1] + FRESH_NAME
        with open(fresh, "wb") as file:
            file.write(data)
        os.rename(fresh, name)

    def _batches(self, name):
        """(head, bytes) of each batch of an archive, up to the first without a sound head."""
        with open(name, "rb") as file:
            while True:
                start = file.read(records.BATCH_HEAD_BYTES)
                head = records.batch_head(start)
                if head is None:
                    return
                yield head, start + file.read(head[0] + records.CRC_BYTES)

    def _start_segment(self, record):
        """A new segment that begins with the present state and `record`; it replaces one without events."""
        first = self.last_seq + 1
        match_first = first if self._new_match else self.match_first
        state = (self.id, self.boot, self.acknowledged, match_first, self._previous)
        data = records.pack_state(first, state) + record
        self._replace(self._segment(first), data)
        if not self._segments or self._segments[-1] != first:
            self._segments.append(first)
        self._bytes = len(data)
        self.match_first = match_first
        if record:
            self._new_match = False

    # -- between shoves ------------------------------------------------------

    def begin_match(self):
        """The next event starts a match."""
        self._new_match = True

    def append(self, event):
        """Writes one event and returns its seq; it is on flash by then. OSError: nothing was changed."""
        if not 0 < len(event) <= records.MAX_EVENT:
            raise ValueError("an event has 1 to %d bytes" % records.MAX_EVENT)
        seq = self.last_seq + 1
        record = records.pack(records.EVENT, seq, bytes(event))
        if self._new_match or self._bytes + len(record) > SEGMENT_BYTES:
            self._start_segment(record)
        else:
            self._extend(record)
        self.last_seq = self._previous = seq
        return seq

    def _extend(self, record):
        name = self._segment(self._segments[-1])
        full = self._bytes
        self._bytes = SEGMENT_BYTES  # should the write fail, the next append starts a new segment
        with open(name, "ab") as file:
            file.write(record)
        self._bytes = full + len(record)

    def acknowledge(self, seq):
        """A host has everything up to `seq`; written with the next segment (a lost one only means sending again)."""
        self.acknowledged = max(self.acknowledged, min(seq, self.last_seq))

    def tidy(self):
        """Makes the next appends cheap: call between turns only, it may erase. True if there was something to do."""
        fresh = self._bytes > FRESH_BYTES
        if fresh:
            self._start_segment(b"")
        full = self._segments[:-1]
        for first in full:
            self._move_to_archive(first)
        return fresh or bool(full)

    def _move_to_archive(self, first):
        name = self._segment(first)
        state, _, events, _ = records.parse_segment(self._read(name))
        if state is not None and events:
            batch = records.pack_batch(first, state[3], state[4], events)
            if not self._archives or os.stat(self._archive(self._archives[-1]))[6] + len(batch) > ARCHIVE_BYTES:
                self._make_room()
                self._replace(self._archive(first), batch)
                self._archives.append(first)
            else:
                with open(self._archive(self._archives[-1]), "ab") as file:
                    file.write(batch)
        self._segments.remove(first)
        os.remove(name)

    def _make_room(self):
        """Lets the oldest archives go: acknowledged ones beyond ROOM_BYTES, others only when the flash is full."""
        while len(self._archives) > 1 and self._archives[1] <= self.match_first:
            last = self._archives[1] - 1
            status = os.statvfs(self._folder)
            tight = status[1] * status[3] < RESERVE_BYTES
            if not tight and (len(self._archives) * ARCHIVE_BYTES < ROOM_BYTES or last > self.acknowledged):
                return
            self.dropped += max(0, last - max(self.acknowledged, self._archives[0] - 1))
            os.remove(self._archive(self._archives.pop(0)))

    # -- reading -------------------------------------------------------------

    @property
    def first_seq(self):
        """Seq of the oldest event still held; last_seq + 1 if there is none."""
        return (self._archives or self._segments)[0]

    def events_from(self, seq):
        """(seq, bytes) of every event held from `seq` on, oldest first; appends and tidying meanwhile do no harm."""
        while seq <= self.last_seq:
            first, events = self._chunk(seq)
            if not events:
                return
            for i in range(max(0, seq - first), len(events)):
                yield first + i, events[i]
            seq = first + len(events)

    def match_events(self):
        """(seq, bytes) of the events of the match in play."""
        return self.events_from(self.match_first)

    def event(self, seq):
        """The bytes of one event, b"" if it is not held."""
        for found, data in self.events_from(seq):
            return data if found == seq else b""
        return b""

    def _chunk(self, seq):
        """(first seq, events) of the batch or segment that holds `seq`, or of the next that has any."""
        for i, first in enumerate(self._archives):
            if i + 1 == len(self._archives) or self._archives[i + 1] > seq:
                found = self._archive_chunk(first, seq)
                if found is not None:
                    return found
        for i, first in enumerate(self._segments):
            if i + 1 == len(self._segments) or self._segments[i + 1] > seq:
                events = records.parse_segment(self._read(self._segment(first)))[2]
                if first + len(events) > seq:
                    return first, events
        return seq, []

    def _archive_chunk(self, archive, seq):
        name = self._archive(archive)
        for head, data in self._batches(name):
            if head[1] + head[4] <= seq:
                continue
            events = records.batch_events(data)
            if events is None:
                self._damaged(name)
                return None
            return head[1], events
        return None
