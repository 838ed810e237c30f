"""What the rules are told of a disc in doubt: asked where a bed is at stake, else what it likely is."""

from types import SimpleNamespace

import pytest
from hapenny import layout
from hapenny.desktop import agree
from hapenny.keeping.journal import Journal
from hapenny.rules import events, geometry, setup
from hapenny.rules.game import ASK_DECIDE, Game
from hapenny.scorer import DECIDE, NO_QUESTION, SHOVED, UNTOUCHED, WHO_MOVED, Scorer

BED_5 = layout.FIRST_LINE_HMM + 4 * layout.LINE_PITCH_HMM + layout.LINE_PITCH_HMM // 2
LINE_5 = layout.FIRST_LINE_HMM + 4 * layout.LINE_PITCH_HMM
MIDDLE = layout.WIDTH_HMM // 2
LEFT, RIGHT = geometry.LEFT_HMM, geometry.RIGHT_HMM


class Table:
    """A scorer, and a picture of discs (x, y, verdict, best) that it is shown."""

    def __init__(self, folder):
        self.tracker = SimpleNamespace(count=0, found=range(15), shoved=-1, moved=[0] * 15, prior=[])
        self.tracker.gone_x = self.tracker.shoved_fate = 0
        self.judge = SimpleNamespace()
        hardware = SimpleNamespace(lifts=lambda: 0)
        game, journal = Game(), Journal(str(folder / "journal"))
        self.scorer = Scorer(game, journal, self.tracker, self.judge, hardware)

    def see(self, *discs):
        self.tracker.count = len(discs)
        self.tracker.x, self.tracker.y = [d[0] for d in discs], [d[1] for d in discs]
        self.judge.verdict, self.judge.best = [d[2] for d in discs], [d[3] for d in discs]
        return self

    def told(self, i: int = 0, listed=()):
        """What the rules are told of disc i."""
        return self.scorer.disc(i, len(listed), list(listed))


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


@pytest.mark.parametrize("x", [LEFT - 5, LEFT - 300, RIGHT + 1, RIGHT + 300, LEFT + 20])
def test_a_doubt_over_a_side_line_is_asked_wherever_its_place_is(table, x):
    """Its best place lies past the side line: the rules would call it wide, so it is brought to just inside."""
    disc = table.see((x, BED_5, geometry.DOUBTED, 5)).told()
    assert disc[2] == events.DOUBT
    assert geometry.verdict(disc[0], disc[1]) == 5 and geometry.bed_of(disc[1]) == 5
    assert abs(disc[0] - x) <= 300


@pytest.mark.parametrize(("x", "y", "best"), [
    (LEFT - 5, LINE_5, geometry.LINE), (RIGHT + 250, LINE_5, geometry.LINE), (LEFT + 5, LINE_5, geometry.LINE),
    (MIDDLE, geometry.OVER_HMM + 40, geometry.LINE), (MIDDLE, geometry.SHORT_HMM + 40, geometry.SHORT),
    (LEFT + 5, LINE_5, geometry.WIDE), (MIDDLE, geometry.OVER_HMM - 40, geometry.OVER),
])  # fmt: skip
def test_a_doubt_that_cannot_score_is_not_asked(table, x, y, best):
    """It is listed as what the judge takes it for, wherever its place is."""
    disc = table.see((x, y, geometry.DOUBTED, best)).told()
    assert disc[2] == 0
    assert geometry.verdict(disc[0], disc[1]) == best


def test_a_doubt_beside_another_disc_is_brought_inside_clear_of_it(table):
    """Both are read 0.1 mm too close; neither a heap nor wide."""
    other = (LEFT + 2530, BED_5, 0, 0)
    x, y, flags, on = table.see((LEFT - 10, BED_5, geometry.DOUBTED, 5)).told(0, [other])
    assert (flags, on) == (events.DOUBT, 0)
    assert x >= LEFT and not geometry.overlap((x, y), other)


def test_the_last_disc_past_a_side_line_in_doubt_is_a_question_and_yes_scores(table):
    """One disc a turn: the question waits for a person; yes is a mark in its bed."""
    scorer = table.scorer
    code = scorer.do(agree.start("pushpenny", [1, 1], {"shoves": 1}))
    assert code == ""
    table.see((LEFT - 20, BED_5, geometry.DOUBTED, 5))
    table.tracker.shoved, table.tracker.prior = 0, [-1]
    scorer.settled()
    assert scorer.question == DECIDE and scorer.game.asks() & ASK_DECIDE
    assert scorer.answer(True) == "" and scorer.question == NO_QUESTION
    assert scorer.game.state.marks[4] == 1


def test_what_people_say_of_a_disc_holds_until_it_moves(table):
    """Told to be on the line, it is listed so at the next shove, however sure the sensors are of its bed."""
    scorer, tracker = table.scorer, table.tracker
    assert scorer.do(agree.start("pub", [1, 1])) == ""
    line = geometry.settle(MIDDLE, BED_5, geometry.LINE, 400)
    table.see((MIDDLE, BED_5, 5, 5))
    assert scorer.propose(events.shove([line], hit=())) == "" and scorer.owner == [0]
    assert scorer.living() == [(*line, 0, 0)]
    tracker.moved = [1] * 15
    assert scorer.living() == [(MIDDLE, BED_5, 0, 0)]


def asked(table, *later):
    """The first disc lies in bed 5; then a picture that no shove explains, with one more disc if `later` has two."""
    scorer, tracker = table.scorer, table.tracker
    assert scorer.do(setup.FRIENDLY) == ""
    table.see((MIDDLE, BED_5, 5, 5))
    tracker.shoved, tracker.prior = 0, [-1]
    scorer.settled()
    table.see(*later)
    tracker.shoved, tracker.prior, tracker.moved = -1, [0, -1], [1, 0]
    scorer.settled()
    assert scorer.question == WHO_MOVED and scorer.game.state.shoves_left == 4
    return scorer


CANNONED = (MIDDLE + 3000, BED_5 + layout.LINE_PITCH_HMM, 6, 6)
NEW = (MIDDLE, BED_5, 5, 5)


@pytest.mark.parametrize("say", [lambda scorer: scorer.answer(SHOVED), lambda scorer: scorer.next()])
def test_a_shove_that_no_sensor_saw_is_one_when_people_say_so(table, say):
    """By the host's answer or the third button: the disc without a name is the one shoved, the other was cannoned."""
    scorer = asked(table, CANNONED, NEW)
    assert say(scorer) == "" and scorer.question == NO_QUESTION
    assert [disc[:2] for disc in scorer.game.state.discs] == [CANNONED[:2], NEW[:2]]
    assert scorer.game.state.shoves_left == 3 and scorer.game.state.turn == 0


def test_a_shove_whose_disc_is_gone_is_one_when_people_say_so(table):
    """It struck another and left the board: that one counts where it lies now."""
    scorer = asked(table, CANNONED)
    assert scorer.answer(SHOVED) == ""
    assert [disc[:2] for disc in scorer.game.state.discs] == [CANNONED[:2]]
    assert scorer.game.state.shoves_left == 3


def test_where_nobody_touched_anything_play_goes_on(table):
    """No turn is lost and nothing has to be chosen; what lies there counts as it lies from the next shove on."""
    scorer = asked(table, CANNONED)
    assert scorer.answer(UNTOUCHED) == "" and scorer.question == NO_QUESTION
    assert scorer.game.state.shoves_left == 4 and not scorer.game.asks()
    assert [disc[:2] for disc in scorer.living()] == [CANNONED[:2]]
