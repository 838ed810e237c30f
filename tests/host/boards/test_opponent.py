"""The opponent: in its turn it shoves once all is at rest, takes its discs off, and leaves the rest to people."""

import time
from dataclasses import replace

import pytest
from hapenny.rules import events
from hapenny_host.boards.opponent import PAUSE_S, READY_S, SHOW_S, THEIRS_S, UNSEEN_S, Opponent
from hapenny_host.boards.state import BoardState, StateKeeper
from hapenny_host.match.view import MatchView, Side
from hapenny_link.conversation import Disc, LinkState, Picture
from hapenny_link.errors import UserError
from host.fake import FakeTable

SIDES = [Side([name], [0] * 9, [3] * 9, [0] * 9, None, False) for name in ("Ann", "Bob")]
HERS, HIS = {"side": 0, "verdicts": ("2",)}, {"side": 1, "verdicts": ("2",)}


def now(*discs, state="rest", connected=True, **match):
    seen = tuple(Disc(x, y, verdict, 1, 0.1, 0) for x, y, verdict in discs)
    view = {"number": 1, "preset": "encyclopedia", "sides": SIDES, "turn": 1, "shoves_left": 3, "seq": 5, **match}
    return BoardState(link=LinkState(connected), picture=Picture(state, "ok", seen), match=MatchView(**view))


class FakeServed:
    def __init__(self, present):
        self.state = present
        self.table = FakeTable()
        self.keeper = StateKeeper()
        self.told = []

    def propose(self, event):
        self.told.append(event)
        return ""


def opponent(present, player="county"):
    served = FakeServed(present)
    out = Opponent(served)  # type: ignore[arg-type]
    out.choose(player)
    return out, served


def played(present, player="county"):
    """What it has done once it has had time: how many discs lie then, what it told the board."""
    one, served = opponent(present, player)
    served.table.lying = [(disc.x_mm, disc.y_mm) for disc in present.picture.discs]
    one.step(0.0)
    one.step(SHOW_S)
    return len(served.table.lying), served.told


def test_it_takes_a_disc_off_that_does_not_count_any_more():
    """Its shove was undone: not before that disc is off does it shove again."""
    undone = replace(now((50.0, 120.0, "1")), may_differ=True)
    assert played(undone) == (0, []) and played(replace(undone, may_differ=False)) == (2, [])


def test_it_shoves_nothing_among_discs_of_another_match():
    """People take those off."""
    assert played(replace(now((50.0, 120.0, "1")), leftovers=((50.0, 120.0),))) == (1, [])


def test_it_shoves_one_disc_at_a_time():
    """A shove after a pause; the next one only once the board has made an event of it, or has missed it."""
    one, served = opponent(now())
    once, again = PAUSE_S, PAUSE_S + UNSEEN_S + 0.1
    for at_s, discs in ((0.0, 0), (PAUSE_S / 2, 0), (once, 1), (2 * PAUSE_S, 1), (9.0, 1), (again, 2)):
        one.step(at_s)
        assert len(served.table.lying) == discs, at_s
    served.state = now(seq=6)
    one.step(100.0)
    one.step(100.1 + PAUSE_S)
    assert len(served.table.lying) == 3


@pytest.mark.parametrize("present", [
    now(turn=0), now(state="moving"), now(state="hand"), now(connected=False), now(winner=0), now(preset="darts"),
    now(number=0, preset="", sides=[]), now(asks=["decide"], shoves_left=0), now(shoves_left=0),
])  # fmt: skip
def test_it_waits(present):
    """Not its turn, discs or hands move, no board, no match, a question to people: it does nothing."""
    assert played(present) == (0, [])


def test_nobody_plays_unless_chosen():
    """Without a player, or with one that this table does not know, nothing is done."""
    assert played(now(), "") == (0, [])
    assert played(now(), "champion") == (0, [])


def test_it_waits_for_its_own_slide():
    """It does not reach for a disc while one slides, whatever the board says."""
    one, served = opponent(now())
    served.table.until_s = 1e12
    one.step(0.0)
    one.step(SHOW_S)
    assert served.table.lying == []


def test_it_takes_off_its_own_discs_and_those_before_its_turn():
    """When all have seen them: its own after its turn, those of whoever played before it later; others it leaves."""
    lying = (100.0, 149.0, "2"), (150.0, 149.0, "2")
    assert played(now(*lying, turn=0, asks=["clear"], log=[HERS, HIS])) == (0, [])
    three = {"sides": [*SIDES, SIDES[0]], "turn": 1}
    assert played(now(*lying, asks=["clear"], log=[HERS], **three)) == (2, []), "who is next takes them off"
    one, served = opponent(now(*lying, asks=["clear"], log=[HERS]))
    served.table.lying = [(100.0, 149.0)]
    for at_s, discs in ((0.0, 1), (THEIRS_S - 0.1, 1), (THEIRS_S, 0)):
        one.step(at_s)
        assert len(served.table.lying) == discs, at_s
    one, served = opponent(now(*lying, turn=0, asks=["clear"], log=[HIS]))
    served.table.lying = [(100.0, 149.0)]
    one.step(0.0)
    one.step(SHOW_S - 0.1)
    assert served.table.lying


def test_it_takes_back_what_is_short_and_off_what_is_dead():
    """A short disc comes back to its hand, a dead one off, each by that one's place."""
    discs = [{"x": 100.0, "y": 149.0, "verdict": "2"}, {"x": 150.0, "y": 60.0, "verdict": "short"}]
    short = now((100.0, 149.0, "2"), (150.0, 60.0, "short"), asks=["retake"], discs=discs)
    assert played(short) == (1, [])
    assert played(now((100.0, 149.0, "2"), (150.0, 410.0, "over"))) == (1, [])


def test_it_writes_up_and_chooses_to_begin():
    """It records its turn where that is asked, and plays first if it was placed best."""
    assert [event[0] for event in played(now(asks=["record"], shoves_left=0))[1]] == [events.RECORD]
    assert len(played(now(asks=["place"], best_placed=1))[1]) == 1
    assert played(now(asks=["place"], best_placed=0))[1] == []


def test_it_tries_again_where_its_hand_slipped():
    """A shove that cannot be (a disc lies in the way) is made again after a pause."""
    one, served = opponent(now())

    def refuse(player, game):
        raise UserError("the discs overlap")

    shove_as, served.table.shove_as = served.table.shove_as, refuse
    one.step(0.0)
    one.step(PAUSE_S)
    served.table.shove_as = shove_as
    one.step(PAUSE_S + 0.1)
    one.step(2 * PAUSE_S + 0.2)
    assert len(served.table.lying) == 1


def test_the_page_knows_whose_turn_it_is():
    """`plays` is true in the last side's turn while somebody plays it."""
    one, _ = opponent(now())
    assert one.is_in_turn(now()) and not one.is_in_turn(now(turn=0))
    assert not one.is_in_turn(replace(now(), match=MatchView()))
    one.choose("")
    assert not one.is_in_turn(now())


def test_who_waits_for_it_is_told_for_what():
    """Until it is ready it does nothing, and says that it warms up and for how long; then it plays."""
    one, served = opponent(now())
    served.table.warm_s = 0.3
    assert one.doing("Bob") == f"Bob warms up, once on this machine: 0 s of about {READY_S}"
    one.start()
    time.sleep(0.1)
    assert not one.ready
    one.began_s -= 12
    assert "12 s of" in one.doing("Bob")
    end_s = time.monotonic() + 20
    while not served.table.lying and time.monotonic() < end_s:
        time.sleep(0.05)
    one.stop()
    assert len(served.table.lying) == 1 and one.doing("Bob") == "Bob plays"


def test_on_a_real_board_nothing_is_made_ready():
    """No hand of ours can shove there: the thread has nothing to compile."""
    one, served = opponent(now())
    served.table = None  # type: ignore[assignment]
    one.stopping.set()
    one.run()
    assert one.ready
