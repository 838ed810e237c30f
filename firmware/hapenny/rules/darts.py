"""Darts (RULES F): each dart is judged as it lands."""

from hapenny.rules import events, order, score, setup, turn


def dart(state, event, out):
    """One dart: hit 1 to 9 marks (once, twice, three times), anything else does not."""
    _, by, hit, times = event
    if by not in (-1, state.player()):
        return "not_your_turn"
    if state.opts[setup.PRESET] != setup.DARTS or state.queue or not (1 <= times <= 3 and 0 <= hit <= events.BULL):
        return "not_allowed"
    if state.groups:
        order.bull(state, hit)
        return ""
    state.started = 1
    state.played = 1
    state.shoves -= 1
    side = state.seat
    turn.lapse(state, side)
    if 1 <= hit <= 9:
        score.write(state, bytes([score.DART, side, hit - 1, times]), out)
    if state.winner >= 0 or (state.shoves == 0 and not state.queue):
        score.write(state, bytes([score.END, side, 0]))
        turn.end(state)
    return ""
