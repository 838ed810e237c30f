"""The sentence on /play says what is asked, of which disc, and what hands still have to do."""

from dataclasses import replace

import pytest
from hapenny.app import NOT_BARE
from hapenny_host.boards.state import BoardState
from hapenny_host.boards.status import ailment
from hapenny_host.match.view import MatchView, Side
from hapenny_host.web.play.headline import headline
from hapenny_link.conversation import Disc, LinkState, Picture
from host.fake import FakeTable

SIDES = [Side([name], [0] * 9, [3] * 9, [0] * 9, None, False) for name in ("Ann", "Bob")]


def now(state="rest", **match):
    view = MatchView(**{"number": 1, "sides": SIDES, "turn": 0, "player": "Ann", "shoves_left": 3, **match})
    return BoardState(link=LinkState(connected=True), picture=Picture(state), match=view)


DISCS = [{"x": 50.0, "y": 120.0, "verdict": "1", "number": 1}, {"x": 90.0, "y": 210.0, "verdict": "doubt", "number": 3}]
HEAP = [{"x": x, "y": y, "verdict": "stack", "number": n} for n, (x, y) in enumerate(((50.0, 120.0), (52.0, 125.0)), 1)]
DOUBTED = Picture("asking", discs=(Disc(90.0, 210.0, "doubt", 0.07, 0.06, 0),))
ASKED = now("asking", asks=["decide"], undecided=[1], discs=DISCS, last="Bed 1", shoves_left=0)


@pytest.mark.parametrize(
    ("present", "said"),
    [
        (BoardState(), "The board is away: no board yet"),
        (now(number=0, sides=[]), "No match yet"),
        (now(winner=1), "Bob wins!"),
        (now(asks=["clear"], player="Bob", last="Bed 5"), "Bed 5. Bob is next: take the discs off"),
        (now(last="Bed 4"), "Bed 4. Ann to shove, 3 to go"),
        (now(limit="turn 3 of 5, level"), "Ann to shove, 3 to go (turn 3 of 5, level)"),
        (now(void=True), "Turn lost. Ann to shove, 3 to go"),
        (ASKED, "Disc 3, the one ringed, is too close to call. Look: is it wholly in bed 4?"),
        (
            replace(ASKED, picture=DOUBTED),
            "Disc 3, the one ringed, is too close to call (bed 4 or line: within 0.1 mm). Look: is it wholly in bed 4?",
        ),
        (
            now("asking", asks=["decide"], undecided=[0], discs=HEAP, last="Disc 2 decided: bed 3", ruled=True),
            "Disc 2 decided: bed 3. Disc 1, the one ringed, lies in a heap. Look: does it score in bed 1?",
        ),
        (now("asking"), "Discs have moved, and the board saw no shove. What happened?"),
        (now("asking", asks=["clear"]), "One was shoved too early: take all discs off"),
        (
            replace(now(), may_differ=True, picture=Picture("rest", discs=(Disc(90.0, 210.0, "4", 3, 0.1, 0),))),
            "Take off the disc marked ×: it does not count. Ann to shove, 3 to go",
        ),
        (replace(now(), out_of_turn_player=2), "The next disc is Bob's, out of turn"),
        (now(asks=["clear"]), "Ann is next: take the discs off"),
        (now(asks=["choose"]), "Somebody else moved discs. Shove again, or put them back?"),
        (now(asks=["give"], give_bed=4), "One more than needed in bed 4: who gets it?"),
        (now(asks=["place"], best_placed=1), "Bob came nearest: when do they play?"),
        (now(asks=["retake"], shoves_left=0), "Take it back, or write the score up?"),
        (now(asks=["record"], shoves_left=0), "Is the score right? Then write it up"),
        (now(asks=["nine"]), "Ann to shove for the order of play: nearest to bed 9"),
    ],
)
def test_what_is_said(present, said):
    """A question comes before the turn, and names the disc, its bed and the people."""
    assert headline(present) == said


def test_discs_that_hands_have_taken_are_not_asked_for_again():
    """On a simulated table: while they come off, and once they are off, the board has to notice."""
    table = FakeTable()
    table.lying = [(50.0, 120.0)]
    assert headline(now(asks=["clear"]), table) == "Ann is next: take the discs off"
    table.lying = []
    assert headline(now(asks=["clear"]), table) == "The board is checking that all discs are off"


@pytest.mark.parametrize(
    ("health", "ill"),
    [
        ("ok", ""),
        (NOT_BARE, "Take every disc off: the board has to see itself bare once"),
        ("Hall 3 of bed 4 dead", "not whole: Hall 3 of bed 4 dead"),
        (
            "no call near Hall 10 of bed 3, 3 sensors out",
            "it asks people about every disc near Hall 10 of bed 3 (3 sensors out)",
        ),
    ],
)
def test_what_is_wrong_with_the_board_is_said(health, ill):
    """In words for people; what stops the game comes before everything else."""
    present = replace(now(asks=["clear"]), picture=Picture("rest", health))
    assert ailment(present) == ill
    assert headline(present) == (ill if health == NOT_BARE else "Ann is next: take the discs off")
    assert ailment(replace(present, link=LinkState())) == ""


def test_sensors_that_stand_still_are_said_before_any_question():
    """Whatever else is asked or out: nothing counts."""
    present = replace(now(asks=["clear"]), picture=Picture("frozen", "Hall 3 of bed 4 dead"))
    assert headline(present) == ailment(present) and headline(present).startswith("The board's sensors have stopped")
    assert ailment(replace(present, link=LinkState())) == ""


def test_a_score_that_cannot_be_saved_is_said_first():
    """Before any question."""
    assert headline(replace(now(asks=["clear"]), alarm="the disk is full")) == "the disk is full"


def test_an_opponent_that_is_next_takes_the_discs_off():
    """The page does not ask people for what the house does."""
    present = now(asks=["clear"], player="Bob", last="Bed 5")
    assert headline(present, opponent=True) == "Bed 5. Bob is next and takes the discs off"
