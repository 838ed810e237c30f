"""Scoring (RULES C): the ledger of all that ever scored, and the book of marks that it folds into.

An entry is a few bytes, its kind first. Marks, extras, claims, points and the winner follow from the entries in their
order, so that a turn judged anew (`correct`, an overruled turn) only rewrites its own entry.
"""

from hapenny.rules import handicap, setup

STAGE = 1  # side, nine counts: discs of a progressive turn that goes on
TURN = 2  # side, void (or DAMPED), nine counts: the end of a turn of discs
DART = 3  # side, bed index, times
END = 4  # side, void (or DAMPED): the end of a turn of darts
GIVE = 5  # side, bed index
CLAIM = 6  # side, bed index
MARKS = 7  # packed totals, the referee's word
WINNER = 8  # side, the referee's word
OUT = 9  # side
MISS = 10  # side
LAPSE = 11  # side: its claims are gone
LATE = 12  # extras that appear in a turn recorded before the one in play: nobody gets them

DAMPED = 2  # in place of void, added: an OUT follows, and nobody wins between the two


def write(state, entry, out=None):
    """Add an entry to the ledger and to the book; `out` is told what it gives to others."""
    state.ledger.append(entry)
    ENTER[entry[0]](state, entry, out)


def open_book(state):
    """The book before the first entry."""
    sides = len(state.players)
    handicap.fill(state)
    state.copies = bytearray(sides * 9 if state.opts[setup.CLAIM] else 0)
    state.queue = []
    state.thrower = -1
    state.out = 0
    state.winner = -1
    state.plays = [0] * sides
    state.turn_no = 0
    state.last_side = -1
    state.playing = (1 << sides) - 1
    state.quota = setup.turns(state.opts)


def rejudge(state):
    """Fold the whole ledger again. True if a win now came earlier and later turns were dropped."""
    old = list(state.ledger.items())
    void = void_entries(old)
    open_book(state)
    state.ledger.cut(0)
    won_by_dart = False
    for i, entry in enumerate(old):
        kind = entry[0]
        if won_by_dart and kind == END:
            won_by_dart = False
            continue
        if state.winner >= 0 and kind in (STAGE, TURN, DART, END):
            return True
        if i in void:
            state.queue = []
            state.ledger.append(entry)
            continue
        write(state, entry)
        if state.winner >= 0 and kind == STAGE:  # a win ends the turn at once
            state.ledger.pop()
            state.ledger.append(bytes([TURN, entry[1], 0]) + entry[2:])
            finish(state, entry[1])
        elif state.winner >= 0 and kind == DART:
            won_by_dart = True
            write(state, bytes([END, entry[1], 0]))
    return False


def void_entries(ledger):
    """Places of the stages and darts that belong to a void turn."""
    places = set()
    void = 0
    for i in range(len(ledger) - 1, -1, -1):
        if ledger[i][0] in (TURN, END):
            void = ledger[i][2] & 1
        elif void and ledger[i][0] in (STAGE, DART):
            places.add(i)
    return places


def turn_entry(state, turn_no):
    """The end of turn `turn_no` (1 is the first), b'' if it was not recorded."""
    for entry in state.ledger.items():
        if entry[0] in (TURN, END):
            turn_no -= 1
            if turn_no == 0:
                return entry
    return b""


def rewrite(state, turn_no, void, counts=None):
    """Turn `turn_no` is void or not (DAMPED stays), and ended with other counts. True if later turns were dropped."""
    old = list(state.ledger.items())
    state.ledger.cut(0)
    for entry in old:
        if entry[0] in (TURN, END):
            turn_no -= 1
            if turn_no == 0:
                flags = void | entry[2] & DAMPED
                entry = bytes([entry[0], entry[1], flags]) + (entry[3:] if counts is None else bytes(counts))
        state.ledger.append(entry)
    return rejudge(state)


# what a side has and needs


def need(state, side, bed):
    return state.targets[side * 9 + bed] - state.marks[side * 9 + bed]


def needs(state, side):
    """Marks that `side` needs altogether."""
    first, last = side * 9, side * 9 + 9
    return sum(state.targets[first:last]) - sum(state.marks[first:last])


def can_take(state, side, bed):
    """Whether an extra in `bed` may go to `side`: in, in need of it, and it would not win."""
    return state.is_in(side) and need(state, side, bed) > 0 and needs(state, side) > 1


def after(state, side):
    """The other sides in order of play, the one after `side` first."""
    place = state.order.index(side)
    return state.order[place + 1 :] + state.order[:place]


def own_marks(state, side, counts):
    """How many of `counts` discs per bed are the side's own marks."""
    return [min(counts[bed], need(state, side, bed)) if counts[bed] else 0 for bed in range(9)]


def put(state, side, bed, out):
    state.marks[side * 9 + bed] += 1
    if out:
        out.given += bytes((side * 9 + bed,))


# entries


def enter_own(state, side, counts):
    """Mark up the side's own; returns the extras per bed, b"" where there are none or the mark wins."""
    state.queue = []
    spare = b""
    marks, targets = state.marks, state.targets
    first = at = side * 9
    for more in counts:
        if more:
            own = targets[at] - marks[at]
            if more > own:
                spare = spare or bytearray(9)
                spare[at - first] = (more - own) * setup.in_play(state.opts, at - first)
                more = own
            marks[at] += more
        at += 1
    if marks[first : first + 9] == targets[first : first + 9]:
        state.winner = side
        return b""
    return spare


def enter_stage(state, entry, _out):
    enter_own(state, entry[1], entry[2:])


def enter_turn(state, entry, out):
    side, void, counts = entry[1], entry[2], entry[3:]
    finish(state, side)
    if not void & 1:
        if state.opts[setup.PRESET] == setup.TIMED:
            state.points[side] += sum([counts[bed] for bed in range(9) if setup.in_play(state.opts, bed)])
        else:
            give_away(state, side, enter_own(state, side, counts), out)
    if not void & DAMPED:
        time_up(state)


def enter_dart(state, entry, out):
    counts = bytearray(9)
    counts[entry[2]] = entry[3]
    give_away(state, entry[1], enter_own(state, entry[1], counts), out)


def enter_end(state, entry, _out):
    finish(state, entry[1])
    if not entry[2] & DAMPED:
        time_up(state)


def enter_miss(state, entry, _out):
    state.plays[entry[1]] += 1
    state.last_side = entry[1]
    time_up(state)


def finish(state, side):
    state.queue = []
    state.plays[side] += 1
    state.turn_no += 1
    state.last_side = side


def enter_give(state, entry, out):
    side, bed = entry[1], entry[2]
    if may_give(state, side, bed):
        state.queue.pop(0)
        put(state, side, bed, out)
        settle(state, out)


def may_give(state, side, bed):
    return len(state.queue) > 0 and state.queue[0] == bed and side != state.thrower and can_take(state, side, bed)


def enter_claim(state, entry, out):
    side, bed = entry[1], entry[2]
    if may_claim(state, side, bed):
        state.copies[side * 9 + bed] -= 1
        put(state, side, bed, out)


def may_claim(state, side, bed):
    return len(state.copies) > 0 and state.copies[side * 9 + bed] > 0 and can_take(state, side, bed)


def enter_lapse(state, entry, _out):
    side = entry[1]
    if state.copies:
        state.copies[side * 9 : side * 9 + 9] = bytes(9)


def enter_marks(state, entry, out):
    rows = handicap.unpack_marks(entry[1:])
    for side, row in rows:
        for bed in range(9):
            state.marks[side * 9 + bed] = min(row[bed], state.targets[side * 9 + bed])
    state.winner = -1
    for side in [r[0] for r in rows] + state.order:
        if state.winner < 0 and needs(state, side) == 0:
            state.winner = side
    last_in(state)
    settle(state, out)


def enter_winner(state, entry, _out):
    state.winner = entry[1]


def enter_out(state, entry, out):
    state.out |= 1 << entry[1]
    enter_lapse(state, entry, None)
    last_in(state)
    settle(state, out)


def enter_late(state, _entry, _out):
    state.queue = []
    time_up(state)


ENTER = {
    STAGE: enter_stage, TURN: enter_turn, DART: enter_dart, END: enter_end, GIVE: enter_give, CLAIM: enter_claim,
    MARKS: enter_marks, WINNER: enter_winner, OUT: enter_out, MISS: enter_miss, LAPSE: enter_lapse, LATE: enter_late,
}  # fmt: skip


# extras


def give_away(state, side, spare, out):
    """Extras of `side` (counts per bed), beds ascending, one at a time."""
    state.thrower = side
    if spare:
        for bed in range(9):
            for _ in range(spare[bed]):
                give_one(state, side, bed, out)
        drain(state, out)


def give_one(state, side, bed, out):
    mode = state.opts[setup.EXCESS]
    if state.opts[setup.CLAIM]:
        offer(state, side, bed)
    elif mode == setup.CHOOSER:
        state.queue.append(bed)
    else:
        for taker in takers(state, side, bed, mode):
            put(state, taker, bed, out)


def offer(state, side, bed):
    """Every other side gets its own copy of an extra, to be claimed."""
    for other in after(state, side):
        if state.is_in(other):
            state.copies[other * 9 + bed] += 1


def takers(state, side, bed, mode):
    """Who gets one extra of `side` in `bed` without anybody's word."""
    others = [s for s in after(state, side) if state.is_in(s)]
    if mode == setup.NEXT:
        others = others[:1]
    able = [s for s in others if can_take(state, s, bed)]
    if mode == setup.NEEDIEST and able:
        most = max([need(state, s, bed) for s in able])
        return [s for s in able if need(state, s, bed) == most][:1]
    return able


def drain(state, out):
    """Settle the waiting extras as far as there is nothing to choose."""
    while state.queue:
        bed = state.queue[0]
        able = [s for s in after(state, state.thrower) if can_take(state, s, bed)]
        if len(able) > 1 and state.winner < 0:
            return
        state.queue.pop(0)
        if able and state.winner < 0:
            put(state, able[0], bed, out)


# ends without a slate


def settle(state, out):
    """Extras or sides have become fewer: some may be settled, and the time be up."""
    drain(state, out)
    time_up(state)


def last_in(state):
    """The last side still in wins."""
    rest = [s for s in state.order if state.is_in(s)]
    if len(rest) == 1 and state.winner < 0:
        state.winner = rest[0]


def time_up(state):
    """Once all have had the turns agreed, the most marks (points) win; equals play one more turn each."""
    if not state.quota or state.queue:
        return
    while state.winner < 0:
        rest = [s for s in state.order if state.is_in(s) and state.playing >> s & 1]
        if len(rest) > 1 and any([state.plays[s] < state.quota for s in rest]):
            return
        most = max([total(state, s) for s in rest])
        best = [s for s in rest if total(state, s) == most]
        if len(best) == 1:
            state.winner = best[0]
            return
        state.playing = sum([1 << s for s in best])
        state.quota += 1


def total(state, side):
    """What a side has when turns are counted: its marks; a timed game has points and no marks."""
    return state.points[side] + sum(state.marks[side * 9 : side * 9 + 9])
