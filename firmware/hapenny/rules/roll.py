"""A roll of short byte strings, kept in pages, so that a long match does not riddle a small heap with small objects."""

PAGE = 512


class Roll:
    """Grows at its end and is taken back from there; each entry at most 255 bytes."""

    def __init__(self):
        self.pages = []
        self.end = 0  # bytes in use; an entry is its length, itself, its length again
        self.count = 0
        self.least = 0  # entries that have stood ever since this was last set to `count`

    def append(self, data):
        size = len(data)
        self.count += 1
        end = self.end
        at = end % PAGE
        last = at + size + 1
        if not at or last >= PAGE:
            self.across(bytes([size]) + data + bytes([size]))
            return
        page = self.pages[end // PAGE]
        page[at] = page[last] = size
        page[at + 1 : last] = data
        self.end = end + size + 2

    def across(self, data):
        """Write at the end, on more than one page or on a new one."""
        while data:
            page, at = self.end // PAGE, self.end % PAGE
            if page == len(self.pages):
                self.pages.append(bytearray(PAGE))
            part = data[: PAGE - at]
            self.pages[page][at : at + len(part)] = part
            self.end += len(part)
            data = data[len(part) :]

    def read(self, start, size):
        page, at = start // PAGE, start % PAGE
        found = bytes(self.pages[page][at : at + size])
        if len(found) < size:
            found += self.read(start + len(found), size - len(found))
        return found

    def last(self):
        """The last entry, b'' if there is none."""
        if not self.count:
            return b""
        size = self.read(self.end - 1, 1)[0]
        return self.read(self.end - 1 - size, size)

    def pop(self):
        """Take the last entry off and return it."""
        found = self.last()
        self.end -= len(found) + 2
        self.count -= 1
        self.least = min(self.least, self.count)
        return found

    def cut(self, count):
        """Keep the first `count` entries only."""
        while self.count > count:
            self.pop()

    def items(self, place=0):
        """The entries from number `place` on."""
        at = 0
        for number in range(self.count):
            size = self.read(at, 1)[0]
            if number >= place:
                yield self.read(at + 1, size)
            at += size + 2
