"""Penalties and interference (RULES D): touches, shoves out of turn, damping, moved discs, the referee's word."""

from hapenny.rules import events, handicap, lying, order, score, setup, turn
from hapenny.rules.state import waiting


def out_of_turn(state, side, discs, gone, out):
    """Another side has shoved: its disc is off at once and it misses its next turn; moved discs are interference."""
    turn.lapse(state, side)
    before = state.discs
    kept = lying.carry(before, discs)
    out.verdicts = lying.verdicts(state, kept)
    if not state.offended >> side & 1:
        state.offended |= 1 << side
        state.missed[side] += 1
    dead = [i for i in range(len(kept)) if lying.is_dead(state, out.verdicts[i])]
    if not gone:
        dead.append(len(kept) - 1)
    disturb(state, before, lying.without(kept, dead))


def disturb(state, before, discs):
    """Discs lie elsewhere than their shover left them (`before`): until the shover chooses, nothing goes on."""
    if lying.moved(before, discs):
        state.saved = before
        state.discs = discs
    else:
        state.saved = None
        state.discs = before


def touch(state, event, out):
    """A played disc is touched by hand."""
    _, by, discs = event
    if state.groups or not state.discs:
        return "not_allowed"
    if discs is not None and lying.bad_list(discs, len(state.discs)):
        return "bad_position"
    if by >= 0 and by // 2 != state.seat:
        if discs is not None:
            interfered(state, discs, out)
    elif not state.old:
        touched(state, discs, out)
    return ""


def touched(state, discs, out):
    """The shover's own hand: the turn is lost, but for the time after the last shove under `until_fifth`."""
    if waiting(state) and state.opts[setup.TOUCH] == setup.UNTIL_FIFTH:
        return
    if discs is not None:
        kept = lying.carry(state.discs, discs)
        out.verdicts = lying.verdicts(state, kept)
        state.discs = lying.alive(state, kept, out.verdicts)
    turn.lose(state, out)
    turn.end(state)


def interfere(state, event, out):
    """Somebody else moved discs."""
    if lying.bad_list(event[1], len(state.discs)):
        return "bad_position"
    if not state.groups:
        interfered(state, event[1], out)
    return ""


def interfered(state, discs, out):
    if state.old:
        return
    before = state.discs if state.saved is None else state.saved
    kept = lying.carry(before, discs)
    out.verdicts = lying.verdicts(state, kept)
    disturb(state, before, lying.alive(state, kept, out.verdicts))


def choose(state, event, out):
    """The shover's choice after interference, or the best placed side's of when to play."""
    _, choice, place = event
    if choice == events.PLACE:
        return order.choose(state, place)
    if state.saved is None or choice not in (events.REPLAY, events.REPLACE):
        return "not_allowed"
    if choice == events.REPLACE:
        state.discs = state.saved
    else:
        replay(state)
    state.saved = None
    turn.look_again(state, out)
    return ""


def replay(state):
    """Every disc that was moved comes back to the shover's hand."""
    moved = lying.moved(state.saved, state.discs)
    if len(state.saved) - 1 in moved:
        state.retake = 0
    now = lying.pair(state.saved, state.discs)
    state.discs = lying.select(state.discs, [now.index(i) for i in range(len(state.saved)) if i in now])
    state.shoves += len(moved)


def damp(state, event, out):
    """A part of the board was held down: that side is out; in its own turn the turn is lost too."""
    side = event[1] // 2
    if event[1] < 0 or not state.is_in(side):
        return "not_allowed"
    own = side == state.seat and not state.groups
    if own:
        turn.lose(state, out, 1 | score.DAMPED)
    score.write(state, bytes([score.OUT, side]), out)
    if state.groups:
        order.go_on(state)
    elif own or state.winner >= 0:
        turn.end(state)
    else:
        turn.settle(state, False, False)
    return ""


def overrule(state, event, out):
    """The referee's word: marks, a winner, or a turn that counts for nothing."""
    _, what, data = event
    if what == events.VOID:
        return overrule_void(state, out)
    rows = handicap.unpack_marks(data) if what == events.MARKS else [(side, None) for side in data]
    if any([side >= len(state.players) for side, _ in rows]):
        return "unknown_side"
    if what == events.MARKS:
        return overrule_marks(state, rows, data, out)
    if what != events.WINNER or len(rows) != 1:
        return "not_allowed"
    score.write(state, bytes([score.WINNER, data[0]]))
    return ""


def overrule_marks(state, rows, data, out):
    if not rows or len(data) % 6 or state.opts[setup.PRESET] == setup.TIMED:
        return "not_allowed"
    for side, row in rows:
        if any([row[bed] > state.targets[side * 9 + bed] for bed in range(9)]):
            return "not_allowed"
    score.write(state, bytes([score.MARKS]) + data, out)
    turn.settle(state, False, True)
    return ""


def overrule_void(state, out):
    """The turn in play counts for nothing; before its first shove the last recorded one."""
    in_play = state.winner < 0 and (state.played or turn.giving(state))
    if in_play:
        turn.lose(state, out)
        turn.end(state)
        return ""
    entry = score.turn_entry(state, state.turn_no)
    if not entry:
        return "not_allowed"
    was_won = state.winner >= 0
    out.void = not entry[2] & 1
    turn.settle(state, score.rewrite(state, state.turn_no, 1), was_won)
    return ""


def correct(state, event, out):
    """An earlier turn ended like this instead: it and all later ones are judged again."""
    _, turn_no, discs = event
    if score.turn_entry(state, turn_no)[:1] != bytes([score.TURN]):
        return "not_allowed"
    if lying.bad_list(discs, state.opts[setup.SHOVES]):
        return "bad_position"
    kept = [disc + (lying.UNDECIDED,) for disc in discs]
    out.verdicts = lying.verdicts(state, kept)
    was_won = state.winner >= 0
    if state.old and turn_no == state.turn_no:
        state.discs = lying.alive(state, kept, out.verdicts)
        state.old = 1 if state.discs else 0
    dropped = score.rewrite(state, turn_no, 0, lying.counts(out.verdicts))
    turn.settle(state, dropped, was_won)
    return ""


def claim(state, event, out):
    """An opponent claims an extra."""
    _, by, bed = event
    if by < 0 or not 1 <= bed <= 9 or not score.may_claim(state, by // 2, bed - 1):
        return "not_allowed"
    score.write(state, bytes([score.CLAIM, by // 2, bed - 1]), out)
    return ""


def give(state, event, out):
    """The thrower says who gets an extra."""
    _, to, bed = event
    if to < 0 or not 1 <= bed <= 9 or not score.may_give(state, to // 2, bed - 1):
        return "not_allowed"
    score.write(state, bytes([score.GIVE, to // 2, bed - 1]), out)
    if state.shoves == 0 and not state.queue:
        turn.given(state)
    return ""
