"""The buttons on /play fit what the rules need, and what they propose is what they say."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hapenny.rules import events
from hapenny.scorer import SHOVED, UNTOUCHED
from hapenny_host.boards.actions import Action, perform
from hapenny_host.boards.misplaced import misplaced_discs
from hapenny_host.boards.state import BoardState
from hapenny_host.match.view import MatchView, Side
from hapenny_host.web.elements.board import tags
from hapenny_host.web.play import buttons
from hapenny_host.web.play.headline import headline
from hapenny_link.conversation import Disc, LinkState, Picture
from host.fake import FakeTable

SIDES = [Side([name], [0] * 9, [3] * 9, [0] * 9, None, False) for name in ("Ann", "Bob", "Cat")]


UNDO = "Undo: the touch"
LIES = [{"x": 1.0, "y": 2.0, "verdict": "short"}]


def now(state="rest", seen=(), **match):
    play = {"number": 1, "sides": SIDES, "turn": 0, "player": "Ann", "shoves_left": 3, "undoes": "the touch"}
    view = MatchView(**{**play, **match})
    return BoardState(link=LinkState(connected=True), picture=Picture(state, "ok", tuple(seen)), match=view)


def texts(present, table=None):
    return [action.text for action in buttons.offered(present, table)]


ASKED = now("asking", asks=["decide"], undecided=[1], discs=[{}, {"x": 90.0, "y": 180.0}])
MOVED = ["Ann touched them: turn lost", "Somebody else moved them", "Nobody did anything: play on"]


@pytest.mark.parametrize(
    ("present", "wanted"),
    [
        (now(number=0), ["New match"]),
        (now(), [UNDO, "Referee", "New match"]),
        (now(undoes=""), ["Referee", "New match"]),
        (now(winner=0, turn=-1), ["New match", UNDO, "Referee"]),
        (now(asks=["clear"]), ["Take the discs off", UNDO, "Referee", "New match"]),
        (now(asks=["retake"], discs=LIES), ["Take it back", UNDO, "Referee", "New match"]),
        (
            now(asks=["retake"], discs=LIES, shoves_left=0),
            ["Take it back", "Write the score up", UNDO, "Referee", "New match"],
        ),
        (ASKED, ["Yes, bed 3 scores", "No, no score", UNDO, "Referee", "New match"]),
        (now("asking"), ["It was Ann's shove", *MOVED, UNDO, "Referee", "New match"]),
        (now("asking", shoves_left=0), [*MOVED, UNDO, "Referee", "New match"]),
        (now(asks=["choose"]), ["Shove again", "Put them back", UNDO, "Referee", "New match"]),
        (
            now(asks=["give"], give_bed=4, takers=[1, 2]),
            ["Bed 4 to Bob", "Bed 4 to Cat", UNDO, "Referee", "New match"],
        ),
        (now(asks=["give"], give_bed=4, takers=[2], preset="darts"), ["4 to Cat", UNDO, "Referee", "New match"]),
        (
            now(asks=["place"], places=2, best_placed=1),
            ["Bob plays first", "Bob plays second", UNDO, "Referee", "New match"],
        ),
        (now(seen=[Disc(1, 2, "wide", 3, 0.1, 0)], discs=LIES), [UNDO, "Referee", "New match"]),
        (now(seen=[Disc(1, 2, "over", 3, 0.1, 0)]), ["Take the dead disc off", UNDO, "Referee", "New match"]),
    ],
)
def test_each_need_of_the_rules_has_its_buttons(present, wanted):
    """What is asked for is offered first, undo wherever there is something, a new match always."""
    table = FakeTable()
    table.lying = [(1.5, 2.5)]
    assert texts(present, table) == wanted


@pytest.mark.parametrize("present", [
    now(asks=["clear"]), now(asks=["retake"], discs=LIES), now(seen=[Disc(1, 2, "over", 3, 0.1, 0)]),
])  # fmt: skip
def test_what_hands_have_done_is_no_longer_offered(present):
    """The discs are off, or being taken off: no button asks for it while the board has still to notice."""
    table = FakeTable()
    assert texts(present, table) == [UNDO, "Referee", "New match"]
    table.lying, table.slide_s, table.until_s = [(1.5, 2.5)], 1.0, 1e12
    assert texts(present, table) == [UNDO, "Referee", "New match"]


def test_discs_that_lay_when_the_match_began_are_taken_off_first():
    """Until then nothing else is to be done; a disc that has come since is none of those, nor is anything later on."""
    table, there = FakeTable(), Disc(1, 2, "3", 3, 0.1, 0)
    table.lying = [(1.0, 2.0)]

    def begun(state="rest", leftovers=((1.4, 2.3),), **match):
        return replace(now(state, seen=[there], **match), leftovers=leftovers)

    assert texts(begun(), table) == ["Take the discs off", UNDO, "Referee", "New match"]
    assert headline(begun(), table) == headline(begun()) == "Discs of another match lie there: take them off"
    for other in (begun("moving"), begun(leftovers=()), begun(leftovers=((50.0, 2.0),)), begun(preset="darts")):
        assert texts(other, table) == [UNDO, "Referee", "New match"]
        assert "another match" not in headline(other, table)
    table.lying = []
    assert "Take the discs off" not in texts(begun(), table)


@pytest.mark.parametrize(
    ("earlier_places", "said"),
    [
        ([(80.2, 40.0, 3)], "Take off disc 3: it does not count"),
        ([(80.2, 40.0, 2), (120.0, 40.3, 4)], "Take off discs 2 and 4: they do not count"),
        ([(80.2, 40.0, 2), (120.0, 40.3, 4), (160.0, 40.0, 5)], "Take off discs 2, 4 and 5: they do not count"),
        ([(80.2, 40.0, 1)], "Take off the disc marked ×: it does not count"),  # another disc has that number now
        ([(80.2, 40.0, 3), (120.0, 40.3, 3)], "Take off the discs marked ×: they do not count"),
        ([(80.2, 40.0, 0)], "Take off the disc marked ×: it does not count"),
    ],
)
def test_discs_that_do_not_count_any_more_are_named_and_taken_off(earlier_places, said):
    """After an undo, or what people say of a shove: by their numbers if those tell them apart; these discs alone."""
    table = FakeTable()
    table.lying = [(1.5, 2.5), *[(x, y) for x, y, _ in earlier_places]]
    seen = [Disc(x, y, "short", 3, 0.1, 0) for x, y in table.lying]
    undone = replace(
        now(seen=seen, discs=[LIES[0] | {"number": 1}]), may_differ=True, earlier_places=tuple(earlier_places)
    )
    action = buttons.offered(undone, table)[0]
    assert action.text == said and headline(undone, table) == headline(undone) == f"{said}. Ann to shove, 3 to go"
    assert texts(now(discs=LIES), table)[0] == UNDO
    served = SimpleNamespace(state=undone)
    assert perform(served, table, action) == "" and table.lying == [(1.5, 2.5)]  # type: ignore[arg-type]
    assert texts(undone, table)[0] == UNDO


def test_discs_that_do_not_count_are_marked_on_the_drawing():
    """With the number they had; a disc of the game keeps its call."""
    seen = [Disc(1.5, 2.5, "3", 3, 0.1, 0), Disc(80.0, 120.0, "4", 3, 0.1, 0)]
    undone = replace(now(seen=seen, discs=[LIES[0] | {"number": 1, "person": False}]), may_differ=True)
    undone = replace(undone, earlier_places=((80.2, 120.0, 2),))
    written = [
        (tag["text"], tag["number"], tag["kind"]) for tag in tags(seen, undone.match, misplaced_discs(undone, None))
    ]
    assert written == [("short", 1, "none"), ("×", 2, "none")]


def test_discs_that_an_undone_shove_has_moved_are_put_back():
    """First what does not count comes off, then each disc goes to its place, one that is gone from the hand."""
    table, places = FakeTable(), [{"x": 80.0, "y": 120.0, "number": 1}, {"x": 200.0, "y": 120.0, "number": 2}]
    there = [(80.0, 160.0), (81.0, 133.0)]  # disc 1, struck; the disc that struck it; disc 2 was pushed off
    earlier_places = ((80.0, 160.2, 1), (81.0, 133.2, 3))

    def undone():
        seen = [Disc(x, y, "2", 3, 0.1, 0) for x, y in table.lying]
        return replace(now(seen=seen, discs=places), may_differ=True, earlier_places=earlier_places)

    table.lying = list(there)
    assert texts(undone(), table)[:2] == ["Take off disc 3: it does not count", UNDO]
    assert headline(undone(), table) == (
        "Take off disc 3: it does not count. Put discs 1 and 2 back where they lay, in the dashed rings. "
        "Ann to shove, 3 to go"
    )
    served = SimpleNamespace(state=undone())
    assert perform(served, table, buttons.offered(undone(), table)[0]) == ""  # type: ignore[arg-type]
    assert table.lying == there[:1]
    served = SimpleNamespace(state=undone())
    assert texts(undone(), table)[:2] == ["Put the discs back", UNDO]
    assert perform(served, table, buttons.offered(undone(), table)[0]) == ""  # type: ignore[arg-type]
    assert table.lying == [(80.0, 120.0), (200.0, 120.0)] and texts(undone(), table)[0] == UNDO


def test_an_undone_clear_is_no_dead_end():
    """The discs are off, the rules want them off, and the board sees nothing happen: people may play on."""
    table = FakeTable()
    again = now(asks=["clear"], cleared=True)
    for hands in (table, None):
        assert texts(again, hands)[0] == "They are off: play on" and "play on, or undo more" in headline(again, hands)
    table.lying = [(1.5, 2.5)]
    assert texts(again, table)[0] == "Take the discs off"


def test_without_a_simulated_table_nobody_offers_to_move_discs():
    """On a real board discs are taken off by hand: no button for it."""
    assert texts(now(asks=["clear"])) == [UNDO, "Referee", "New match"]


class FakeServed:
    def __init__(self, present):
        self.state = present
        self.done = []

    def propose(self, event):
        self.done.append(events.decode(events.encode(event)))
        return ""

    def undo(self, words):
        self.done.append(f"undo {words}")
        return ""

    def command(self, do, data=b""):
        self.done.append((do, data))
        return ""


@pytest.mark.parametrize(
    ("present", "text", "done"),
    [
        (now(), UNDO, "undo the touch"),
        (ASKED, "Yes, bed 3 scores", events.decide(2, True)),
        (ASKED, "No, no score", events.decide(2, False)),
        (now(asks=["retake"]), "Take it back", events.retake()),
        (now(asks=["choose"]), "Put them back", events.choose("replace")),
        (now(asks=["clear"], cleared=True), "They are off: play on", events.clear()),
        (now(asks=["give"], give_bed=4, takers=[1, 2]), "Bed 4 to Cat", events.give(4, 4)),
        (now(asks=["place"], places=2, best_placed=1), "Bob plays second", events.choose("place", 2)),
        (now("asking"), "Somebody else moved them", ("answer", b"\x00")),
        (now("asking"), "Ann touched them: turn lost", ("answer", b"\x01")),
        (now("asking"), "It was Ann's shove", ("answer", bytes([SHOVED]))),
        (now("asking"), "Nobody did anything: play on", ("answer", bytes([UNTOUCHED]))),
    ],
)
def test_a_button_proposes_what_it_says(present, text, done):
    """Pressed on a page of a real board, each button sends the event its words promise."""
    served = FakeServed(present)
    action = next(action for action in buttons.offered(present, None) if action.text == text)
    assert perform(served, None, action) == "" and served.done == [done]  # type: ignore[arg-type]


def test_on_a_simulated_table_hands_move_discs_and_nothing_is_proposed():
    """Clear, retake and dead discs are done by hand: the board has to notice by itself."""
    table = FakeTable()
    table.lying = [(50.0, 120.0), (90.0, 60.0), (200.0, 410.0)]
    over, lying = Disc(200.1, 410.1, "over", 1, 0.1, 0), [{"x": 50.0, "y": 120.0}, {"x": 90.2, "y": 60.1}]
    served = FakeServed(now(asks=["retake"], seen=[over], discs=lying))
    for do, left in (("dead", [(50.0, 120.0), (90.0, 60.0)]), ("retake", [(50.0, 120.0)]), ("clear", [])):
        assert perform(served, table, Action("", do)) == ""  # type: ignore[arg-type]
        assert table.lying == left
    assert served.done == []


def test_a_hand_that_finds_nothing_takes_nothing():
    """A disc that is gone already is not replaced by its neighbour."""
    table = FakeTable()
    table.lying = [(50.0, 120.0)]
    served = FakeServed(now(seen=[Disc(200.1, 410.1, "over", 1, 0.1, 0)]))
    assert "no disc there" in perform(served, table, Action("", "dead"))  # type: ignore[arg-type]
    assert table.lying == [(50.0, 120.0)]
