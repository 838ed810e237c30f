"""Bytes of the journal: a record for each event, a state at the head of each segment, a batch for an old segment.

A segment is `state, event, event, ...`, each a record `kind, length, seq, data, CRC32`. A batch is the same segment in
compact form, one CRC32 for all of it. Parsing stops at the first byte that is not as it was written.
"""

import struct
from binascii import crc32

STATE = 0x53  # "S"
EVENT = 0x45  # "E"
BATCH = 0x5A  # "Z"
MAX_EVENT = 96  # what the wire can carry of one event
HEAD = "<BBI"
HEAD_BYTES = 6
STATE_DATA = "<IIIII"  # journal id, boot, acknowledged, first seq of the match, seq of the event before this segment
BATCH_HEAD = "<BHIIIB"  # kind, payload bytes, first seq, first seq of the match, seq of the event before, events
BATCH_HEAD_BYTES = 16
CRC_BYTES = 4
OVERHEAD = HEAD_BYTES + CRC_BYTES


def with_crc(data):
    """The bytes followed by their CRC32."""
    return data + struct.pack("<I", crc32(data))


def crc_holds(data):
    """True if the last four bytes are the CRC32 of those before."""
    end = len(data) - CRC_BYTES
    return end > 0 and struct.unpack_from("<I", data, end)[0] == crc32(data[:end])


def pack(kind, seq, data):
    """One record."""
    return with_crc(struct.pack(HEAD, kind, len(data), seq) + data)


def pack_state(seq, state):
    """The record at the head of a segment whose first event will be `seq`; `state` as in STATE_DATA."""
    return pack(STATE, seq, struct.pack(STATE_DATA, *state))


def record_at(data, offset):
    """(kind, seq, bytes, next offset) of the record at `offset`, or None if none lies there whole."""
    if offset + OVERHEAD > len(data):
        return None
    kind, length, seq = struct.unpack_from(HEAD, data, offset)
    end = offset + OVERHEAD + length
    if end > len(data) or not crc_holds(data[offset:end]):
        return None
    return kind, seq, data[offset + HEAD_BYTES : end - CRC_BYTES], end


def parse_segment(data):
    """(state or None, first seq, list of events, good bytes) of a segment, up to its first bad record."""
    record = record_at(data, 0)
    if record is None or record[0] != STATE or len(record[2]) != 20:
        return None, 0, [], 0
    first, good = record[1], record[3]
    state = struct.unpack(STATE_DATA, record[2])
    events = []
    while good < len(data):
        record = record_at(data, good)
        if record is None or record[0] != EVENT or record[1] != first + len(events):
            break
        events.append(record[2])
        good = record[3]
    return state, first, events, good


def pack_batch(first, match_first, previous, events):
    """The compact form of a segment."""
    payload = b"".join([bytes((len(event),)) + event for event in events])
    return with_crc(struct.pack(BATCH_HEAD, BATCH, len(payload), first, match_first, previous, len(events)) + payload)


def batch_head(data):
    """(payload bytes, first seq, first seq of the match, seq before, events) of a batch's head, or None."""
    if len(data) < BATCH_HEAD_BYTES or data[0] != BATCH:
        return None
    return struct.unpack(BATCH_HEAD, data[:BATCH_HEAD_BYTES])[1:]


def batch_events(data):
    """The events of a whole batch, or None if it is not as it was written."""
    if not crc_holds(data):
        return None
    events = []
    offset, end = BATCH_HEAD_BYTES, len(data) - CRC_BYTES
    while offset < end:
        stop = offset + 1 + data[offset]
        events.append(data[offset + 1 : stop])
        offset = stop
    return events
