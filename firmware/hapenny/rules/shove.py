"""Shoving (RULES B): shove, attempt, retake, taking the discs off, recording and a person's decisions."""

from hapenny.rules import geometry, lying, order, penalty, setup, turn


def shove(state, event, out):
    """One disc is shoved and all is at rest."""
    _, by, discs, hit, gone = event
    stranger = by >= 0 and by // 2 != state.seat
    if not stranger and by not in (-1, state.player()):
        return "not_your_turn"
    if state.waiting:
        return "no_shoves_left"
    if not may_shove(state):
        return "not_allowed"
    if bad_shove(state, discs, hit, gone):
        return "bad_position"
    ready(state)
    if stranger:
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
    turn.lapse(state, state.seat)
    take_in(state, discs, gone, out)
    state.retake = 0
    if out.last[1] == geometry.SHORT and state.opts[setup.SHORT] == setup.RETAKE:
        struck = lying.moved(before, discs) if hit is None else [h - 1 for h in hit]
        state.retake = 0 if any([geometry.on_first_line(before[i][1]) for i in struck]) else 1
    state.played = 1
    state.shoves -= 1
    if state.shoves == 0:
        turn.all_shoved(state, out)


def take_in(state, discs, gone, out):
    """The discs now lie like this; tell the verdicts, take the dead away."""
    kept = lying.carry(state.discs, discs)
    out.verdicts = lying.verdicts(state, kept)
    out.last = (0, geometry.OFF) if gone else (len(kept), out.verdicts[-1])
    state.discs = lying.alive(state, kept, out.verdicts)


def attempt(state, event, out):
    """A disc was addressed and not moved."""
    if event[1] not in (-1, state.player()):
        return "not_your_turn"
    if state.waiting:
        return "no_shoves_left"
    if not may_shove(state):
        return "not_allowed"
    if state.opts[setup.SHORT] == setup.ONE_ATTEMPT:
        ready(state)
        state.played = 1
        state.shoves -= 1
        if state.shoves == 0:
            turn.all_shoved(state, out)
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
    if state.waiting and not state.opts[setup.RECORD]:
        if state.saved is not None:
            state.discs = state.saved
            state.saved = None
        turn.record(state, lying.verdicts(state, state.discs), out)
    elif state.discs:
        turn.lose(state, out)
        turn.end(state)


def record(state, _event, out):
    """The score is written up by hand; what is undecided scores nothing."""
    if not state.waiting or state.saved is not None:
        return "not_allowed"
    turn.record(state, lying.verdicts(state, state.discs), out)
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
    state.discs[number - 1] = disc[:4] + (word,)
    if state.saved is not None:
        same = lying.pair(state.saved, state.discs)[number - 1]
        if same >= 0:
            state.saved[same] = state.saved[same][:4] + (word,)
    turn.look_again(state, out)
    return ""
