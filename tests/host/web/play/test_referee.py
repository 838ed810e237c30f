"""The Referee menu says what the rules know, and each of its buttons does what it says."""

from dataclasses import replace

import pytest
from hapenny.rules import events
from hapenny.scorer import SHOVED
from hapenny_host.boards.actions import Action, perform
from hapenny_host.boards.state import BoardState
from hapenny_host.match.view import MatchView, Side
from hapenny_host.match.wrong_calls import CorrectableCall
from hapenny_host.web.play.referee import after, rulings
from hapenny_link.conversation import Picture

SIDES = [Side(names, [0] * 9, [3] * 9, [0] * 9, None, False) for names in (["Ann", "Eve"], ["Bob"], ["Cat"])]


def now(**match):
    return BoardState(
        match=MatchView(
            **{"number": 1, "sides": SIDES, "turn": 0, "player": "Ann", "shoves_left": 3, "winner": -1, **match}
        )
    )


class FakeServed:
    def __init__(self, present):
        self.state = present
        self.done = []

    def propose(self, event):
        self.done.append(events.decode(events.encode(event)))
        return ""

    def command(self, do, data=b""):
        self.done.append((do, data))
        return ""

    def next_by(self, player):
        self.done.append(("by", player))
        return ""

    def correct_call(self, disc, verdict):
        self.done.append((disc, verdict))
        return ""


@pytest.mark.parametrize(
    ("what", "text", "done"),
    [
        ("Out of turn", "Cat shoves", ("by", 4)),
        ("Touched", "Turn lost", events.touch()),
        ("Not moved", "It did not move", events.attempt()),
        ("Damped", "Eve held it", events.damp(1)),
        ("Claimed", "Bob: bed 7", events.claim(2, 7)),
        ("Void", "Void the turn", events.overrule_void()),
        ("Given", "Give the game to Cat", events.overrule_winner(2)),
    ],
)
def test_a_call_sends_what_it_says(what, text, done):
    """Each button of the menu: the event, or the word to the board, that its line promises."""
    served = FakeServed(now(claims=[(1, 7)]))
    buttons = next(line.buttons for line in rulings(served.state) if line.what == what)
    action = next(action for action in buttons if action.text == text)
    assert perform(served, None, action) == "" and served.done == [done]  # type: ignore[arg-type]


def test_a_wrong_call_is_told_anew():
    """The line names the disc by its number in the turn, and what was called; the button says what it is."""
    rows = [{"calls": ["over"], "at": -1}, {"calls": ["4"], "at": 0}]
    discs = [{"x": 50.2, "y": 212.0, "verdict": "4", "number": 2}]
    served = FakeServed(now(log=[{"rows": rows}], discs=discs))
    called = [CorrectableCall(0, 50.2, 212.0, 4, (10, 11)), CorrectableCall(1, 90.0, 401.0, 13, (10,))]
    lines = [line for line in rulings(served.state, called) if line.what.startswith("Disc")]
    assert [(line.what, line.then) for line in lines] == [
        ("Disc 2", "was called bed 4; people see that it is"),
        ("Disc 1", "was called over the far end; people see that it is"),
    ]
    assert [action.text for action in lines[0].buttons] == ["On the line", "Over the side"]
    assert perform(served, None, lines[0].buttons[1]) == "" and served.done == [(0, 11)]  # type: ignore[arg-type]


def test_a_call_that_cannot_be_put_right_any_more_says_how():
    """Something has happened since the shove: undo goes back to it."""
    (line,) = [
        line for line in rulings(now(log=[{"rows": [{"calls": ["4"], "at": 0}]}])) if line.what == "A wrong call"
    ]
    assert "Undo back to there" in line.then and not line.buttons


def test_the_shove_that_the_board_asks_about_may_have_been_out_of_turn():
    """Then who shoved is said, and the answer given, in one press."""
    served = FakeServed(replace(now(), picture=Picture("asking")))
    line = next(line for line in rulings(served.state) if line.what == "Out of turn")
    assert "the disc that the board asks about" in line.then and line.buttons[0].text == "Bob shoved it"
    assert perform(served, None, line.buttons[0]) == ""  # type: ignore[arg-type]
    assert served.done == [("by", 2), ("answer", bytes([SHOVED]))]


def test_a_disc_too_close_to_call_is_not_decided_by_a_word_about_the_order_of_play():
    """While people decide, the board asks nothing about who has shoved: the next disc is meant."""
    deciding = now(asks=["decide"], undecided=[0], discs=[{"x": 90.0, "y": 180.0, "number": 1}])
    line = next(line for line in rulings(replace(deciding, picture=Picture("asking"))) if line.what == "Out of turn")
    assert [action.do for action in line.buttons] == ["by", "by"] and "press who" in line.then


def test_who_shoves_next_can_be_taken_back():
    """Before the disc is shoved."""
    line = next(line for line in rulings(replace(now(), out_of_turn_player=2)) if line.what == "Out of turn")
    assert [(action.text, action.argument) for action in line.buttons] == [("No, Ann is next", -1)]


@pytest.mark.parametrize(("do", "argument", "said"), [
    ("by", 4, "Now let Cat shove"), ("by", -1, "Ann is next"),
    ("damp", 1, "Eve held the board down"), ("void", None, "Undo takes it back"),
])  # fmt: skip
def test_what_a_ruling_did_or_wants_done_is_said(do, argument, said):
    """In a sentence on the page."""
    assert said in after(Action("", do, argument), now().match)


def test_nobody_plays_out_of_turn_in_his_own():
    """The pair in turn is not offered as shoving out of turn."""
    line = next(line for line in rulings(now()) if line.what == "Out of turn")
    assert [action.text for action in line.buttons] == ["Bob shoves", "Cat shoves"]


@pytest.mark.parametrize(
    ("present", "wanted"),
    [
        (now(number=0), []),
        (now(), ["Out of turn", "Touched", "Not moved", "Damped", "Void", "Given"]),
        (now(preset="darts"), ["Void", "Given"]),
        (now(winner=1, turn=-1, claims=[(1, 7)]), ["Void", "Given"]),
    ],
)
def test_only_what_makes_sense_is_offered(present, wanted):
    """No discs in darts, no claims after the end, nothing without a match."""
    assert [line.what for line in rulings(present)] == wanted
