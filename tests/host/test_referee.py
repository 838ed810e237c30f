"""The Referee menu says what the rules know, and each of its buttons does what it says."""

import pytest
from hapenny.rules import events
from hapenny_host.live import Now
from hapenny_host.views import MatchView, Side
from hapenny_host.web import actions
from hapenny_host.web.referee import calls

SIDES = [Side(names, [0] * 9, [3] * 9, [0] * 9, None, False) for names in (["Ann", "Eve"], ["Bob"], ["Cat"])]


def now(**match):
    return Now(match=MatchView(**{"number": 1, "sides": SIDES, "turn": 0, "shoves_left": 3, "winner": -1, **match}))


class FakeHall:
    def __init__(self, present):
        self.now = present
        self.done = []

    def propose(self, event):
        self.done.append(events.decode(events.encode(event)))
        return ""

    def command(self, do, data=b""):
        self.done.append((do, data))
        return ""


@pytest.mark.parametrize(
    ("what", "text", "done"),
    [
        ("Out of turn", "Cat", ("by", b"\x04")),
        ("Touched", "Touched", events.touch()),
        ("Not moved", "An attempt", events.attempt()),
        ("Damped", "Eve", events.damp(1)),
        ("Claimed", "Bob: bed 7", events.claim(2, 7)),
        ("Void", "Void the turn", events.overrule_void()),
        ("Decided", "Cat", events.overrule_winner(2)),
    ],
)
def test_a_call_sends_what_it_says(what, text, done):
    """Each button of the menu: the event, or the word to the board, that its line promises."""
    hall = FakeHall(now(claims=[(1, 7)]))
    buttons = next(call.buttons for call in calls(hall.now) if call.what == what)
    action = next(action for action in buttons if action.text == text)
    assert actions.perform(hall, None, action) == "" and hall.done == [done]  # type: ignore[arg-type]


def test_nobody_plays_out_of_turn_in_his_own():
    """The pair in turn is not offered as shoving out of turn."""
    line = next(call for call in calls(now()) if call.what == "Out of turn")
    assert [action.text for action in line.buttons] == ["Bob", "Cat"]


@pytest.mark.parametrize(
    ("present", "wanted"),
    [
        (now(number=0), []),
        (now(), ["Out of turn", "Touched", "Not moved", "Damped", "Void", "Decided"]),
        (now(preset="darts"), ["Void", "Decided"]),
        (now(winner=1, turn=-1, claims=[(1, 7)]), ["Void", "Decided"]),
    ],
)
def test_only_what_makes_sense_is_offered(present, wanted):
    """No discs in darts, no claims after the end, nothing without a match."""
    assert [call.what for call in calls(present)] == wanted
