"""Handicaps (RULES E): targets and marks before the start."""

PRESET, TARGET, BEDS, BEDS_HIGH, TIMED = 0, 9, 10, 11, 5  # as in `setup`, which imports this


def pack_marks(marks):
    """{side: nine marks} in six bytes a side, side first."""
    out = bytearray()
    for side in sorted(marks):
        row = marks[side]
        if len(row) != 9 or any(not 0 <= m <= 15 for m in row):
            raise ValueError("marks are nine numbers from 0 to 10")
        out.append(side)
        for i in range(0, 10, 2):
            out.append(row[i] | (row[i + 1] << 4 if i < 8 else 0))
    return bytes(out)


def unpack_marks(data):
    """[(side, nine marks)] of what `pack_marks` made."""
    rows = []
    for at in range(0, len(data) - 5, 6):
        row = []
        for i in range(9):
            row.append(data[at + 1 + i // 2] >> (4 * (i & 1)) & 15)
        rows.append((data[at], row))
    return rows


def targets(opts, code):
    """Marks a side with handicap `code` needs in each bed; a plus player one more in the first few."""
    row = bytearray(9)
    for bed in range(9):
        if (opts[BEDS] | opts[BEDS_HIGH] << 8) >> bed & 1:
            row[bed] = opts[TARGET] + (1 if bed < 128 - code else 0)
    return row


def received(row, code):
    """Marks a side with handicap `code` starts with: bed after bed filled to its target in `row`."""
    left = code - 128
    marks = bytearray(9)
    for bed in range(9):
        marks[bed] = max(0, min(left, row[bed]))
        left -= marks[bed]
    return marks


def fill(state):
    """Write targets and starting marks (points, where the game is timed) of every side."""
    state.targets = bytearray()
    state.marks = bytearray()
    state.points = []
    timed = state.opts[PRESET] == TIMED
    for code in state.handicaps:
        row = targets(state.opts, code)
        state.targets.extend(row)
        state.marks.extend(bytes(9) if timed else received(row, code))
        state.points.append(code - 128 if timed else 0)
    for side, row in unpack_marks(state.given):
        state.marks[side * 9 : side * 9 + 9] = bytes(row)


def problem(sides, opts, handicaps, given):
    """Why these handicaps and first marks cannot be, a word of `desktop/agree.SENTENCES`, or ''."""
    if any(not 119 <= code <= 140 for code in handicaps):
        return "handicap"
    if opts[PRESET] == TIMED and (given or any(code < 128 for code in handicaps)):
        return "timed"
    rows = [targets(opts, code) for code in handicaps]
    marks = [received(rows[i], handicaps[i]) for i in range(sides)]
    if len(given) % 6:
        return "marks"
    for side, row in unpack_marks(given):
        if side >= sides:
            return "marks"
        if any(row[bed] > rows[side][bed] for bed in range(9)):
            return "target"
        marks[side] = bytearray(row)
    if opts[PRESET] != TIMED and any(marks[i] == rows[i] for i in range(sides)):
        return "won"
    return ""
