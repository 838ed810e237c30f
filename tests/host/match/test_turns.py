"""The list of turns says of every disc what it is called now, in the order shoved, and what it was called before."""

from copy import deepcopy
from random import Random

import pytest
from both_rules import Both
from hapenny.desktop import exact
from hapenny.rules import events, lying, setup
from hapenny_host.match.turns import OFFENCE, OUT_OF_TURN, lying_turn
from hapenny_host.match.view import MatchFold
from hapenny_host.match.words import brief
from hapenny_host.match.wrong_calls import correction
from host.match.test_view import BED, started

STRUCK = 285  # so much nearer the next line a disc in the middle of a bed is too close to call


def told(fold, *happened, seq=2):
    """Fold events in, which must be allowed; the last turn's rows as (calls, person)."""
    for n, event in enumerate(happened):
        before = fold.view
        assert fold.event(seq + n, events.encode(event)) is not before, event
    return rows(fold)


def rows(fold, turn=-1):
    return [("/".join(row.calls), row.person) for row in fold.log[turn].rows]


def lies(x, bed, doubt=False):
    return events.disc(x, (BED[bed - 1] if bed else 10160) + (STRUCK if doubt else 0), doubt=doubt)


def test_a_cannoned_disc_is_called_as_it_lies_now():
    """Disc 1 of bed 1 is struck into bed 2: its own row says so, with what it was; the new disc has the next row."""
    fold = started()
    assert told(fold, events.shove([lies(6000, 1)])) == [("1", False)]
    assert told(fold, events.shove([lies(6000, 2), lies(9500, 1)]), seq=3) == [("1/2", False), ("1", False)]
    fold.event(4, events.encode(events.undo()))
    assert rows(fold) == [("1", False)]


def test_a_disc_cannoned_off_keeps_its_row_and_its_number():
    """Disc 1 goes over the end, disc 2 off the side with nobody seeing where: those after them keep their numbers."""
    over = events.disc(6000, 42000)
    fold = started()
    told(fold, events.shove([lies(6000, 9)]), events.shove([over, lies(9500, 8)]))
    assert rows(fold) == [("9/over", False), ("8", False)]
    told(fold, events.shove([lies(20000, 3)], hit=[1]), seq=9)
    assert rows(fold) == [("9/over", False), ("8/off", False), ("3", False)]
    assert [disc["number"] for disc in fold.view.discs] == [3]
    assert fold.view.last_disc == 0


def test_of_several_discs_the_nearest_is_taken_for_the_one_that_stayed():
    """One of three is gone, another was moved a little: each row still is of its own disc."""
    fold = started()
    three = [lies(6000, 2), lies(12000, 4), lies(24000, 6)]
    told(fold, *(events.shove(three[: n + 1]) for n in range(3)))
    told(fold, events.shove([three[0], lies(24100, 5), lies(30000, 1)]), seq=9)
    assert rows(fold) == [("2", False), ("4/off", False), ("6/5", False), ("1", False)]


def test_a_disc_taken_back_is_told_in_its_own_row():
    """Short, taken back, shoved again: it is still the second disc."""
    short = events.disc(9500, 5000)
    fold = started()
    told(fold, events.shove([lies(6000, 1)]), events.shove([lies(6000, 1), short]), events.retake())
    assert fold.log[-1].rows[1].hand
    assert told(fold, events.shove([lies(6000, 1), lies(9500, 3)]), seq=9) == [("1", False), ("short/3", False)]
    assert [disc["number"] for disc in fold.view.discs] == [1, 2]


def test_what_a_person_decided_takes_the_place_of_the_doubt_in_its_row():
    """A disc struck into doubt and decided has one row, with all that it was called and a person's mark."""
    fold = started(options={"shoves": 2})
    told(fold, events.shove([lies(6000, 1)]), events.shove([lies(6000, 1, doubt=True), lies(9500, 5)]))
    assert fold.view.undecided == [0] and rows(fold)[0] == ("1/doubt", False)
    fold.event(9, events.encode(events.decide(1, True)))
    assert rows(fold) == [("1/doubt/1", True), ("5", False)]
    assert fold.view.last == "Disc 1 decided: bed 1" and fold.view.ruled


@pytest.mark.parametrize("choice", ["replace", "replay"])
def test_after_an_interference_the_rows_follow_the_choice(choice):
    """Somebody moves a disc: it is called where it lies, then again as before, or its row waits for its next shove."""
    fold = started()
    told(fold, events.shove([lies(6000, 1)]), events.shove([lies(6000, 1), lies(9500, 4)]))
    assert told(fold, events.interfere([lies(6000, 3), lies(9500, 4)]), seq=9) == [("1/3", False), ("4", False)]
    told(fold, events.choose(choice), seq=10)
    assert rows(fold) == [("1", False), ("4", False)]
    assert fold.log[-1].rows[0].hand == (choice == "replay")
    if choice == "replay":
        told(fold, events.shove([lies(9500, 4), lies(12500, 2)]), seq=11)
        assert rows(fold) == [("1/2", False), ("4", False)]
        assert [disc["number"] for disc in fold.view.discs] == [2, 1]


def test_a_shove_out_of_turn_is_a_line_of_its_own():
    """It is no disc of the side in turn, whose numbers go on."""
    fold = started()
    told(fold, events.shove([lies(6000, 1)]), events.shove([lies(6000, 1), lies(9500, 4)], by=2))
    assert rows(fold) == [("1", False)]
    offence = fold.log[-2]
    assert (offence.side, offence.number, offence.verdicts()) == (1, OFFENCE, (OUT_OF_TURN,))
    told(fold, events.shove([lies(6000, 1), lies(9500, 2)]), seq=9)
    assert rows(fold) == [("1", False), ("2", False)] and len(fold.log) == 2


def test_a_disc_that_did_not_move_has_a_row_where_it_costs_a_shove():
    """One attempt a disc: it counts; elsewhere it leaves no trace."""
    pub = started("pub")
    assert told(pub, events.shove([lies(6000, 1)]), events.attempt())[1:] == [("no move", False)]
    assert told(started(), events.shove([lies(6000, 1)]), events.attempt()) == [("1", False)]


def test_a_call_that_people_put_right_has_their_mark_and_what_it_was():
    """Told anew: disc 1 is on the line, people say; that stays with later shoves until it moves; undo forgets it."""
    fold = started()
    told(fold, events.shove([lies(6000, 2, doubt=False)]), events.shove([lies(6000, 2), events.disc(9500, 14645 + 50)]))
    code, again = correction(deepcopy(fold.game), 1, 10)
    assert code == ""
    assert told(fold, *again, seq=9) == [("2", False), ("2/line", True)]
    assert (fold.view.last, fold.view.ruled, fold.view.last_disc) == ("Disc 2 decided: on the line", True, 1)
    assert [disc["person"] for disc in fold.view.discs] == [False, True]
    there = again[1][2]
    told(fold, events.shove([*there, lies(20000, 5)]), seq=20)
    assert rows(fold) == [("2", False), ("2/line", True), ("5", False)]
    told(fold, events.shove([there[0], lies(10500, 3), lies(20000, 5), lies(25000, 6)]), seq=21)
    assert rows(fold)[1] == ("2/line/3", False)
    for n in range(3):
        fold.event(30 + n, events.encode(events.undo()))
    assert rows(fold) == [("2", False)]


def test_a_shove_taken_back_and_shoved_again_is_no_persons_word():
    """The new disc stops somewhere else: nobody decided anything."""
    fold = started()
    told(fold, events.shove([lies(6000, 2)]), events.undo(), events.shove([events.disc(6003, BED[1] + 220)]))
    assert rows(fold) == [("2", False)] and not fold.view.ruled


def test_a_turn_voided_after_its_record_is_struck_out_itself():
    """Not the one of the next player, who has not shoved."""
    fold = started(options={"shoves": 1})
    told(fold, events.shove([lies(6000, 2)]), events.overrule_void())
    assert [(turn.side, turn.void) for turn in fold.log] == [(0, True)]


def test_a_turn_corrected_later_shows_what_people_said():
    """The first turn ended in bed 3 instead: its row has both, the second turn's is as it was."""
    fold = started(options={"shoves": 1})
    told(fold, events.shove([lies(6000, 2)]), events.clear(), events.shove([lies(9500, 5)]))
    told(fold, events.correct(1, [lies(6000, 3)]), seq=9)
    assert rows(fold, 0) == [("2/3", True)] and rows(fold, 1) == [("5", False)]


@pytest.mark.parametrize("part", range(2))
def test_in_random_games_every_disc_has_one_row_which_calls_it_as_the_rules_do(part):
    """Whatever happens, refused steps and undo included."""
    for seed in range(part * 1000, part * 1000 + 60):
        rng = Random(seed)
        both, fold, seen = Both(rng), MatchFold(), 0
        for _ in range(50):
            both.step(rng)
            journal = both.engine.journal
            for seq, line in enumerate(journal[seen:], seen + 1):
                fold.event(seq, bytes(line))
            seen = len(journal)
            assert exact.whole(fold.game.state) == exact.whole(both.engine.game.state)
            agree(fold, both.log)


def agree(fold, log):
    state = fold.game.state
    if state.opts[setup.PRESET] == setup.DARTS or state.groups or not state.started:
        return
    words = [brief(verdict) for verdict in lying.verdicts(state, state.discs)]
    turn = lying_turn(fold.log)
    found = {row.at: row.calls[-1] for row in turn.rows if row.at >= 0}
    assert found == dict(enumerate(words)), log
    assert len([row for row in turn.rows if row.at >= 0]) == len(words), log
