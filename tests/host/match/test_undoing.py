"""Undo says what it takes back; of a call that people have put right it first takes back only that."""

import pytest
from hapenny.desktop import agree
from hapenny.rules import events
from hapenny_host.boards.served import ServedBoard
from hapenny_host.boards.state import StateKeeper
from hapenny_host.match.wrong_calls import correction
from hapenny_link.conversation import Received

BED = [10160 + 3175 * bed + 1587 for bed in range(9)]
ONE, TWO = (9000, BED[3]), (18000, BED[3])
LINE, WIDE = 10, 11


class Played(ServedBoard):
    """A served board that takes every event at once."""

    def __init__(self, preset="encyclopedia", players=(1, 1), options=None):
        super().__init__(StateKeeper(), None, None, None)  # type: ignore[arg-type]
        self.seq = 0
        self.names = [["Ann", "Eve"][:many] if side == 0 else ["Bob"] for side, many in enumerate(players)]
        self.propose(agree.start(preset, players, options))

    def propose(self, event):
        game = self.keeper.game()
        refused = game.do(event).refused
        if not refused:
            self.seq += 1
            self.keeper.event(Received("B", 1, 1, self.seq, events.encode(event), 0.0), self.names)
        return refused

    def all(self, *steps):
        for event in steps:
            assert self.propose(event) == ""
        return self

    def presses_undo(self):
        """What the button says, once it is pressed."""
        words = self.state.match.undoes
        assert self.undo(words) == ""
        return words


SHOVES = [events.shove([ONE]), events.shove([ONE, TWO])]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (events.touch(), "the touch"),
        (events.damp(0), "that Ann held the board down"),
        (events.overrule_winner(1), "the game given"),
        (events.shove([ONE, TWO, (27000, BED[3])], by=2), "Bob's shove out of turn"),
        (events.shove([ONE, TWO, (27000, BED[3])], by=0), "Ann's shove 3"),
        (events.shove([ONE, TWO], gone=True), "Ann's shove 3"),
        (events.interfere([ONE]), "the discs that somebody moved"),
    ],
)
def test_each_event_has_its_words(event, said):
    """Whose shove and which, or what people said; what it was before is said once it is taken back."""
    served = Played().all(*SHOVES)
    assert served.state.match.undoes == "Ann's shove 2"
    served.all(event)
    assert served.presses_undo() == said
    assert [served.presses_undo() for _ in range(2)] == ["Ann's shove 2", "Ann's shove 1"]
    assert served.state.match.undoes == "" and served.undo("") == "nothing_to_undo"


def test_an_answer_names_its_disc_and_a_disc_shoved_again_its_number():
    """Also where the number is not its place in the list."""
    doubtful = events.disc(20000, BED[1] + 285, doubt=True)
    others = [events.disc(6000 + 3000 * n, BED[0]) for n in range(4)]
    served = Played().all(*[events.shove([*others[: n + 1]]) for n in range(4)], events.shove([*others, doubtful]))
    served.all(events.decide(5, True))
    assert served.state.match.undoes == "the answer about disc 5"
    short = (18000, 7000)
    served = Played().all(events.shove([ONE]), events.shove([ONE, short]), events.retake())
    assert served.state.match.undoes == "the disc taken back"
    served.all(events.shove([ONE, TWO]))
    assert served.state.match.undoes == "Ann's shove 2"


def test_undo_after_a_correction_takes_back_the_correction_alone():
    """Twice corrected: one after the other; all is as it was told first; then the shove itself goes."""
    served = Played().all(*SHOVES)
    first = served.state.match
    assert served.correct_call(1, LINE) == ""
    second = served.state.match
    assert second.undoes == "the call of disc 2" and second.discs[1]["verdict"] == "line"
    assert served.correct_call(0, LINE) == ""
    assert [disc["verdict"] for disc in served.state.match.discs] == ["line", "line"]
    assert served.presses_undo() == "the call of disc 1"
    assert (served.state.match.discs, served.state.match.log, served.state.match.undoes) == (
        second.discs, second.log, second.undoes,
    )  # fmt: skip
    assert served.presses_undo() == "the call of disc 2"
    now = served.state.match
    assert (now.discs, now.log, now.last) == (first.discs, first.log, first.last)
    assert served.presses_undo() == "Ann's shove 2" and len(served.state.match.discs) == 1


def test_a_correction_is_known_after_more_was_played_and_taken_back():
    """And to a host that folds the journal anew."""
    served = Played().all(*SHOVES)
    assert served.correct_call(1, LINE) == ""
    on_it = [disc[:2] for disc in served.keeper.game().state.discs]
    served.all(events.shove([*on_it, (27000, BED[3])]))
    assert served.presses_undo() == "Ann's shove 3"
    assert served.presses_undo() == "the call of disc 2"
    assert [disc["verdict"] for disc in served.state.match.discs] == ["4", "4"]


def test_a_disc_said_to_be_dead_comes_back():
    """Its number is in the words, though it lies nowhere any more."""
    near = (3175 + 1310 + 100, BED[3])
    served = Played().all(events.shove([near]))
    assert served.correct_call(0, WIDE) == "" and not served.state.match.discs
    assert served.presses_undo() == "the call of disc 1" and served.state.match.discs[0]["verdict"] == "4"


def test_that_the_discs_came_off_can_be_undone_and_done_again():
    """The view knows it, so that the page need not wait for the board."""
    served = Played().all(*SHOVES, events.touch(), events.clear())
    assert served.presses_undo() == "the discs taken off" and served.state.match.cleared
    assert served.state.match.asks == ["clear"]
    assert not served.all(events.clear()).state.match.cleared and served.state.match.asks == []


def test_a_button_of_before_takes_nothing_else_back():
    """The board has seen another shove while the finger was on its way."""
    served = Played().all(SHOVES[0])
    words = served.state.match.undoes
    served.all(SHOVES[1])
    assert "in the meantime" in served.undo(words) and len(served.state.match.discs) == 2


def test_what_the_rules_refuse_is_not_half_done():
    """A correction that the game refuses changes neither the shove nor the words."""
    served = Played().all(*SHOVES)
    code, wanted = correction(served.keeper.game(), 1, 9)
    assert (
        code == "not_allowed"
        and not wanted
        and served.correct_call(1, 9) != ""
        and served.state.match.undoes == "Ann's shove 2"
    )
