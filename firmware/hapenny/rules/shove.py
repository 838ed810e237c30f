"""Shoving (RULES B): shove, attempt, retake, taking the discs off, recording and a person's decisions."""

from hapenny.rules import events, geometry, lying, order, penalty, setup, turn
from hapenny.rules.state import waiting


def shove(state, event, out):
    """One disc is shoved and all is at rest."""
    _, by, discs, hit, gone = event
    stranger = by >= 0 and by // 2 != state.seat
    if by >= 0 and not stranger and by != state.player():
        return "not_your_turn"
    if not state.shoves and waiting(state):
        return "no_shoves_left"
    if not may_shove(state):
        return "not_allowed"
    word = 0 if stranger or hit or gone else joined(state, discs)
    if not word and bad_shove(state, discs, hit, gone):
        return "bad_position"
    if state.old or not state.started:
        ready(state)
    if word:
        lie(state, event, word, out)
    elif stranger:
        penalty.out_of_turn(state, by // 2, discs, gone, out)
    else:
        land(state, discs, hit, gone, out)
    return ""


def may_shove(state):
    """Whether a disc may be shoved now at all. Nobody has to shove for the order of play before the first one."""
    if state.opts[setup.PRESET] == setup.DARTS or state.saved is not None or state.queue:
        return False
    return state.old != 1 and (not state.groups or not state.nines)


def bad_shove(state, discs, hit, gone):
    """Whether the discs cannot lie like this after one shove, or could not have been hit."""
    before = 0 if state.old else len(state.discs)
    if hit is not None and any([not 1 <= h <= before for h in hit]):
        return True
    if not discs and not gone:
        return True
    return lying.bad_list(discs, before if gone else before + 1)


# As nearly always one more disc lies, alive and by itself, and the others lie as they lay: `seen` has what is known of
# those. Functions are small here: MicroPython takes frames of more than 11 words from the heap.


def joined(state, discs):
    """The verdict of the last of `discs`, if all that has happened is that it came to lie there; else 0."""
    seen = state.seen
    if state.old or not state.discs:
        return alone(discs[0], ()) if len(discs) == 1 else 0
    if seen[0] is not state.discs or discs[:-1] != seen[1] or not discs:
        return 0
    return alone(discs[-1], seen[1])


def alone(disc, listed):
    """The verdict of a disc, 0 if it is dead, has flags or lies on another."""
    for other in listed:
        if -geometry.APART_HMM < disc[0] - other[0] < geometry.APART_HMM and geometry.overlap(disc, other):
            return 0
    x, y, flags, on = disc
    word = geometry.verdict(x, y)
    if flags or on or (word > geometry.LINE and (word != geometry.SHORT or not geometry.on_board(x, y))):
        return 0
    return word


def lie(state, event, word, out):
    """What `land` does where a disc has `joined`."""
    if state.opts[setup.CLAIM]:
        turn.lapse(state, state.seat)
    state.retake = 1 if word == geometry.SHORT and state.opts[setup.SHORT] == setup.RETAKE else 0
    if not state.discs:
        state.seen = None, (), [], events.NO_SHOVE
    note(state, event, event[2][-1], word)
    _, _, words, out.coded = state.seen
    out.verdicts = words
    shoved(state, words, out)


def note(state, event, disc, word):
    """Disc, verdict and the event's bytes, behind those of the turn's other shoves."""
    _, _, words, coded = state.seen
    discs = state.discs = state.discs + [disc + (lying.UNDECIDED,)]
    state.seen = discs, event[2], words + [word], coded and events.one_more(coded, event, disc)


def ready(state):
    """The first shove ends the agreeing: options and order of play are fixed, the discs of the latter are off."""
    if not state.started:
        order.as_it_stands(state)
        state.started = 1
    if state.old:
        state.discs = []
        state.old = 0


def land(state, discs, hit, gone, out):
    """The player in turn has shoved: see what was struck, what is dead and what the last disc came to."""
    before = state.discs
    if state.opts[setup.CLAIM]:
        turn.lapse(state, state.seat)
    take_in(state, discs, gone, out)
    state.retake = 0
    if not gone and out.verdicts[-1] == geometry.SHORT and state.opts[setup.SHORT] == setup.RETAKE:
        struck = lying.moved(before, discs) if hit is None else [h - 1 for h in hit]
        state.retake = 0 if any([geometry.on_first_line(before[i][1]) for i in struck]) else 1
    shoved(state, lying.verdicts(state, state.discs), out)


def shoved(state, words, out):
    """One shove less; `words` are the verdicts of the discs."""
    state.played = 1
    state.shoves -= 1
    if state.shoves == 0:
        turn.all_shoved(state, words, out)


def take_in(state, discs, gone, out):
    """The discs now lie like this; tell the verdicts, take the dead away."""
    kept = lying.carry(state.discs, discs)
    out.verdicts = lying.verdicts(state, kept)
    state.discs = lying.alive(state, kept, out.verdicts)
    state.seen = kept, discs, out.verdicts, None


def attempt(state, event, out):
    """A disc was addressed and not moved."""
    if event[1] not in (-1, state.player()):
        return "not_your_turn"
    if waiting(state):
        return "no_shoves_left"
    if not may_shove(state):
        return "not_allowed"
    if state.opts[setup.SHORT] == setup.ONE_ATTEMPT:
        ready(state)
        shoved(state, lying.verdicts(state, state.discs), out)
    return ""


def retake(state, _event, _out):
    """The last disc comes back to the shover's hand."""
    if not state.retake or state.saved is not None:
        return "not_allowed"
    state.discs = lying.without(state.discs, [len(state.discs) - 1])
    state.retake = 0
    state.shoves += 1
    return ""


def clear(state, _event, out):
    """The discs are taken off the board."""
    if state.queue:
        return "not_allowed"
    out.coded = events.CLEARED
    if state.groups:
        state.owners = []
    elif state.winner < 0 and not state.old:
        take_off(state, out)
    state.discs = []
    state.old = 0
    return ""


def take_off(state, out):
    """Discs of a turn in play come off: that ends a wait for the record, or loses the turn."""
    if waiting(state) and not state.opts[setup.RECORD]:
        if state.saved is not None:
            state.discs = state.saved
            state.saved = None
        turn.as_it_lies(state, out)
    elif state.discs:
        turn.lose(state, out)
        turn.end(state)


def record(state, _event, out):
    """The score is written up by hand; what is undecided scores nothing."""
    if not waiting(state) or state.saved is not None:
        return "not_allowed"
    turn.as_it_lies(state, out)
    return ""


def decide(state, event, out):
    """A person settles a doubt or a heap."""
    _, number, scores = event
    if state.groups or state.old or not 1 <= number <= len(state.discs):
        return "not_allowed"
    disc = state.discs[number - 1]
    if not lying.decidable(state, state.discs, number - 1) or (scores and not geometry.bed_of(disc[1])):
        return "not_allowed"
    word = lying.SCORES if scores else lying.TOUCHES
    state.discs = decided(state.discs, number - 1, word)
    if state.saved is not None:
        same = lying.pair(state.saved, state.discs)[number - 1]
        if same >= 0:
            state.saved = decided(state.saved, same, word)
    turn.look_again(state, out)
    return ""


def decided(discs, place, word):
    """`discs` with a person's word on the one at `place`."""
    return discs[:place] + [discs[place][:4] + (word,)] + discs[place + 1 :]
