"""What people see otherwise than the board: the last shove told again, by the rules' own undo."""

import pytest
from hapenny.desktop import agree
from hapenny.rules import events, geometry
from hapenny.rules.game import Game
from hapenny_host.match import wrong_calls

MIDDLE = geometry.FIRST_LINE_HMM + geometry.LINE_PITCH_HMM // 2  # of bed 1
LEFT, FAR = geometry.LEFT_HMM, geometry.OVER_HMM


def game(*discs, preset="encyclopedia"):
    """A match whose discs were shoved there one after the other."""
    played = Game()
    assert not played.do(agree.start(preset, (1, 1))).refused
    for n in range(len(discs)):
        assert not played.do(events.shove(discs[: n + 1], hit=())).refused
    return played


@pytest.mark.parametrize(("disc", "instead"), [
    ((18000, MIDDLE), {geometry.LINE}), ((LEFT + 100, MIDDLE), {geometry.LINE, geometry.WIDE}),
    ((LEFT - 100, MIDDLE), {1}), ((18000, FAR + 100), {geometry.LINE}), ((18000, FAR - 100), {geometry.OVER}),
    ((18000, geometry.FIRST_LINE_HMM), set()), ((18000, geometry.SHORT_HMM + 100), {geometry.SHORT}),
])  # fmt: skip
def test_what_a_disc_may_be_instead_is_what_lies_within_reach(disc, instead):
    """On the line from a bed, over the side or the far end near those, alive where it was called dead."""
    found = wrong_calls.correctable_calls(game(disc))
    assert [one.disc for one in found] == ([0] if instead else [])
    assert {verdict for one in found for verdict in one.instead} == instead


@pytest.mark.parametrize(("discs", "number", "verdict"), [
    (((18000, MIDDLE), (LEFT + 100, MIDDLE)), 1, geometry.WIDE),
    (((18000, MIDDLE), (LEFT - 100, MIDDLE)), 1, 1),
    (((18000, MIDDLE), (9000, MIDDLE)), 0, geometry.LINE),
    (((18000, FAR - 100), (9000, MIDDLE)), 0, geometry.OVER),
])  # fmt: skip
def test_what_people_say_is_what_counts(discs, number, verdict):
    """Dead instead of alive, alive instead of dead, a line instead of a bed; the rest and the shoves left stay."""
    before = game(*discs)
    leftovers, marks = before.state.shoves_left, before.state.marks
    code, wanted = wrong_calls.correction(before, number, verdict)
    assert code == "" and [event[0] for event in wanted] == [events.UNDO, events.SHOVE]
    after = game(*discs)
    for event in wanted:
        out = after.do(events.decode(events.encode(event)))
    assert out.verdicts[number] == verdict and (after.state.shoves_left, after.state.marks) == (leftovers, marks)
    dead = verdict in (geometry.WIDE, geometry.OVER)
    assert len(after.state.discs) == 2 - dead
    here = [(x, y) for x, y, *_ in after.state.discs]
    assert discs[1 - number] in here
    if not dead:
        assert max(abs(a - b) for a, b in zip(here[number], discs[number], strict=True)) <= wrong_calls.REACH_HMM


def test_the_last_shove_of_a_turn_is_scored_anew():
    """Its record goes with it and comes back with the other bed's mark."""
    discs = [(4000 + 3000 * n, MIDDLE) for n in range(1, 6)]
    played = game(*discs)
    assert played.state.marks[0] == 3
    for event in wrong_calls.correction(game(*discs), 4, geometry.LINE)[1]:
        played.do(event)
    assert played.state.marks[0] == 3 and played.state.marks[9] == 1  # one gift less to the other side


def test_what_the_rules_refuse_is_told_before_anything_is_sent():
    """The disc would lie in another one; nothing was shoved last; no such disc."""
    short = geometry.SHORT_HMM - 50
    touching = game((18000, short + 2541), (18000, short))
    assert wrong_calls.correction(touching, 1, geometry.LINE) == ("bad_position", ())
    assert wrong_calls.correction(touching, 1, 5) == ("not_allowed", ())
    played = game((18000, MIDDLE))
    played.do(events.retake()) if played.state.retake else played.do(events.touch())
    assert wrong_calls.correctable_calls(played) == []
    assert wrong_calls.correction(played, 0, geometry.LINE) == ("not_allowed", ())
    assert wrong_calls.correction(game((18000, MIDDLE)), 1, geometry.LINE) == ("not_allowed", ())
