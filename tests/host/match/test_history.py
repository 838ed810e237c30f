"""History: every match of a journal as it stands, each shove where it lay and by which event it came."""

from hapenny.desktop import agree
from hapenny.rules import events as rules
from hapenny_host.match.history import matches

START = agree.start("encyclopedia", (1, 1))
ANN_BOB = [["Ann"], ["Bob"]]


def past(*events, names=None):
    """The matches that these events make, received a second apart."""
    timed = [(seq, rules.encode(event), 1000.0 + seq) for seq, event in enumerate(events, 1)]
    return matches(timed, {1: ANN_BOB} if names is None else names)


def lying(count):
    return [(6000 + 5000 * n, 11748) for n in range(count)]


def turn(*beds):
    """A turn of discs each of which lies in the bed of that number, then taken off."""
    places = [(6000 + 5000 * n, 11748 + 3175 * (bed - 1)) for n, bed in enumerate(beds)]
    return [*(rules.shove(places[: n + 1]) for n in range(len(places))), rules.clear()]


def test_a_match_is_told_turn_by_turn_and_shove_by_shove():
    """Who, what it was called, where it lay, when, and the event that brought it."""
    (match,) = past(START, *turn(1, 2, 3, 4, 5), *turn(9, 9, 9, 9, 9))
    assert (match.number, match.preset, match.winner) == (1, "encyclopedia", -1)
    assert [side.names for side in match.sides] == ANN_BOB and (match.began_at, match.ended_at) == (1001.0, 1013.0)
    first, second = match.turns
    assert (first.side, second.side, first.kind) == (0, 1, "turn")
    assert [shove.calls for shove in first.shoves] == [("1",), ("2",), ("3",), ("4",), ("5",)]
    assert [shove.seq for shove in second.shoves] == [8, 9, 10, 11, 12]
    assert (first.shoves[2].x_mm, first.shoves[2].y_mm, first.shoves[2].at) == (160.0, 180.98, 1004.0)


def test_what_was_undone_is_not_told():
    """The shove that came instead is, with its own event."""
    (match,) = past(
        START, rules.shove(lying(1)), rules.shove(lying(2)), rules.undo(), rules.shove([*lying(1), (30000, 11748)])
    )
    assert [(shove.seq, shove.x_mm) for shove in match.turns[0].shoves] == [(2, 60.0), (5, 300.0)]


def test_a_disc_that_is_cannoned_is_told_where_it_came_to_lie():
    """Its calls say where it was before; the event is still the shove of its own."""
    moved = [(6000, 14923), (11000, 11748)]
    (match,) = past(START, rules.shove(lying(1)), rules.shove(moved, hit=[1]))
    first = match.turns[0].shoves[0]
    assert (first.calls, first.seq, first.y_mm) == (("1", "2"), 2, 149.23)


def test_a_correction_of_a_turn_long_past_is_told_and_its_undo_too():
    """Calls and places are as people said, by people; and again as the board said."""
    said = [(6000 + 5000 * n, 14923) for n in range(5)]
    play = [START, *turn(1, 1, 1, 1, 1), *turn(3, 3, 3, 3, 3)]
    (match,) = past(*play, rules.correct(1, said))
    shoves = match.turns[0].shoves
    assert [shove.calls[-1] for shove in shoves] == ["2"] * 5 and all(shove.person for shove in shoves)
    assert [shove.y_mm for shove in shoves] == [149.23] * 5 and [shove.seq for shove in shoves] == [2, 3, 4, 5, 6]
    (match,) = past(*play, rules.correct(1, said), rules.undo())
    assert [(shove.calls, shove.y_mm) for shove in match.turns[0].shoves] == [(("1",), 117.48)] * 5


def test_a_shove_out_of_turn_takes_nobody_elses_place():
    """It stands before the turn it disturbed, whose shoves keep their events."""
    play = [START, rules.shove(lying(1)), rules.shove(lying(2), by=2)]
    (match,) = past(*play)
    assert [turn.kind for turn in match.turns] == ["out of turn", "turn"]
    assert match.turns[1].shoves[0].seq == 2 and match.turns[0].shoves[0].seq == 3


def test_each_match_is_told_and_what_cannot_be_read_is_passed_over():
    """A match not begun, events before one, torn bytes: no matter."""
    timed = [(n, rules.encode(event), 1.0 * n) for n, event in enumerate([rules.clear(), START, *turn(1), START], 1)]
    timed.insert(3, (99, b"torn", 9.0))
    found = matches(timed, {})
    assert [match.number for match in found] == [2, 5] and [len(match.turns) for match in found] == [1, 0]
    assert matches([], {}) == []
