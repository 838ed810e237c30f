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
    seen = None if stranger or hit or gone else joined(state, discs, by, hit)
    if not seen and bad_shove(state, discs, hit, gone):
        return "bad_position"
    if state.old or not state.started:
        ready(state)
    if seen:
        lie(state, seen, out)
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


def joined(state, discs, by, hit):
    """What is `seen` next, if all that has happened is that one more disc lies, alive and by itself; else None."""
    kept, listed, words, coded = state.seen
    if state.old or not state.discs:
        kept, listed, words, coded = [], (), [], events.NO_SHOVE
    elif kept is not state.discs:
        return None
    if discs[:-1] != listed or not discs:
        return None
    x, y, flags, on = disc = discs[-1]
    word = geometry.verdict(x, y)
    if flags or on or (word > geometry.LINE and (word != geometry.SHORT or not geometry.on_board(x, y))):
        return None
    apart = geometry.APART_HMM
    for other in listed:
        if -apart < x - other[0] < apart and geometry.overlap(disc, other):
            return None
    coded = coded and events.one_more(coded, by, x, y, hit)
    return kept + [(x, y, 0, 0, lying.UNDECIDED)], discs, words + [word], coded


def lie(state, seen, out):
    """What `land` does where a disc has `joined`."""
    if state.opts[setup.CLAIM]:
        turn.lapse(state, state.seat)
    state.seen = seen
    state.discs, _, words, out.coded = seen
    word = words[-1]
    out.verdicts = words
    out.rests = True
    state.retake = 1 if word == geometry.SHORT and state.opts[setup.SHORT] == setup.RETAKE else 0
    shoved(state, words, out)


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
    out.rests = not gone
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
