"""The Referee menu says what the rules know, and each of its buttons does what it says."""

import pytest
from hapenny.rules import events
from hapenny_host.live import Now
from hapenny_host.recall import Called
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

    def recall(self, disc, verdict):
        self.done.append((disc, verdict))
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


def test_a_wrong_call_is_told_anew():
    """The line names the disc by its place, and what was called; the button says what it is."""
    hall = FakeHall(now())
    (line,) = [call for call in calls(hall.now, [Called(1, 50.2, 4, (10, 11))]) if call.what.startswith("Disc")]
    assert (line.what, line.then) == ("Disc 2, 50 mm from the left", "called bed 4; it is")
    assert [action.text for action in line.buttons] == ["On the line", "Over the side"]
    assert actions.perform(hall, None, line.buttons[1]) == "" and hall.done == [(1, 11)]  # type: ignore[arg-type]


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
