"""A turn from its last shove to the next player's first: waiting, recording, losing it, passing it on."""

from hapenny.rules import lying, score, setup
from hapenny.rules.state import waiting


def all_shoved(state, words, out):
    """No shoves are left: award badges the first time, then record as soon as nothing has to wait."""
    found = lying.counts(words)
    if not state.badged:
        state.badged = 1
        if max(found) >= 3:
            out.badges = ["sergeant"]
        if sum(found) == state.opts[setup.SHOVES] >= 5:
            out.badges = list(out.badges) + ["sergeant-major"]
    record_if_ready(state, words, found, out)


def look_again(state, out):
    """Something that recording may have waited for has been settled."""
    if waiting(state):
        words = lying.verdicts(state, state.discs)
        record_if_ready(state, words, lying.counts(words), out)


def record_if_ready(state, words, found, out):
    """Record unless it is done by hand, or a retake or a person's word is still possible."""
    if not state.opts[setup.RECORD] and not state.retake and state.saved is None:
        if not lying.undecided(state, words):
            record(state, words, found, out)


def as_it_lies(state, out):
    """Record now, whatever is undecided."""
    words = lying.verdicts(state, state.discs)
    record(state, words, lying.counts(words), out)


def record(state, words, found, out):
    """Write up the turn as the discs lie, given their verdicts and counts; a progressive turn may go on."""
    if state.opts[setup.PRESET] == setup.PROGRESSIVE:
        own = score.own_marks(state, state.seat, found)
        if sum(own) and sum(own) < score.needs(state, state.seat):
            draw_back(state, words, own)
            score.write(state, bytes([score.STAGE, state.seat]) + found)
            return
    score.write(state, bytes([score.TURN, state.seat, 0]) + found, out)
    end(state)


def draw_back(state, words, own):
    """Take every disc that gives a mark off the board, to be shoved again."""
    left = list(own)
    drawn = []
    for i, word in enumerate(words):
        if 1 <= word <= 9 and left[word - 1]:
            left[word - 1] -= 1
            drawn.append(i)
    state.discs = lying.without(state.discs, drawn)
    state.shoves = len(drawn)
    state.retake = 0


def lose(state, out, how=1):
    """The turn is lost: it gives nobody anything, and what it already gave is taken back."""
    out.void = True
    if state.opts[setup.PRESET] == setup.DARTS:
        score.write(state, bytes([score.END, state.seat, how]))
        score.rejudge(state)
    elif giving(state):
        score.rewrite(state, state.turn_no, how)
    else:
        score.write(state, bytes([score.TURN, state.seat, how]) + bytes(9))
        if state.opts[setup.PRESET] == setup.PROGRESSIVE:
            score.rejudge(state)


def giving(state):
    """Whether the turn only waits for the thrower to give extras away."""
    return len(state.queue) > 0 and state.shoves == 0


def end(state):
    """The turn is over: the game too, or the thrower still has extras to give, or the next player is in turn."""
    close(state)
    if state.winner >= 0:
        state.seat = -1
    elif not state.queue:
        pass_on(state)


def close(state):
    """Nothing of the turn is open any more; its discs lie until they are taken off."""
    state.shoves = 0
    state.played = 0
    state.retake = 0
    state.badged = 0
    state.saved = None
    state.old = 1 if state.discs else 0


def pass_on(state):
    """The next side still in, and not missing its turn, is in turn."""
    state.offended = 0
    side = state.last_side
    if side < 0:
        side = state.order[-1]
    while state.winner < 0:
        side = next_playing(state, side)
        if not state.missed[side]:
            state.seat = side
            state.shoves = state.opts[setup.SHOVES]
            return
        state.missed[side] -= 1
        score.write(state, bytes([score.MISS, side]))
    state.seat = -1


def next_playing(state, side):
    """The side after `side` that is still in and, where turns are counted, has some left."""
    order = state.order
    place = order.index(side)
    for _ in range(1, len(order)):
        place += 1
        other = order[place % len(order)]
        if not state.out >> other & 1 and not (state.quota and done(state, other)):
            return other
    return side


def done(state, side):
    return not state.playing >> side & 1 or state.plays[side] >= state.quota


def given(state):
    """All extras are given away: the turn passes."""
    if state.opts[setup.PRESET] == setup.DARTS:
        score.write(state, bytes([score.END, state.seat, 0]))
        end(state)
    else:
        pass_on(state)


def settle(state, dropped, was_won):
    """Bring the flow of play in line with a book that was changed or folded again."""
    darts = state.opts[setup.PRESET] == setup.DARTS
    if state.queue and state.played and not darts:
        score.write(state, bytes([score.LATE]))
    if state.winner >= 0:
        if dropped or not was_won:
            close(state)
            state.seat = -1
    elif state.queue:
        if not darts:
            wait_again(state)
    elif state.seat < 0:
        pass_on(state)
    elif state.shoves == 0 and (darts or not state.played):
        given(state)


def wait_again(state):
    """Extras appeared that their thrower has to give: its turn has not passed yet."""
    while state.ledger.last()[0] == score.MISS:
        state.missed[state.ledger.pop()[1]] += 1
    score.rejudge(state)
    state.seat = state.thrower
    state.shoves = 0


def lapse(state, side):
    """A side that shoves has claimed what it wanted of the extras offered to it."""
    entry = bytes([score.LAPSE, side])
    if state.opts[setup.CLAIM] and state.ledger.last() != entry:
        score.write(state, entry)
