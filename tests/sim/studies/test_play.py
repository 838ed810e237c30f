"""The study of play: it counts what goes wrong, and what its board sees is what `unix:` sees."""

import json

import numpy as np
import pytest
from hapenny.desktop import agree
from hapenny.finding.tracker import MOVING, SAME
from hapenny.rules import events, geometry
from hapenny_link.errors import UserError
from hapenny_sim.boards.acts import Lying
from hapenny_sim.boards.lockstep import Lockstep
from hapenny_sim.boards.table import SimulatedTable
from hapenny_sim.physics.quick import simulate
from hapenny_sim.studies.command import app
from hapenny_sim.studies.play import study, turn
from hapenny_sim.studies.play.board import PlayBoard
from hapenny_sim.studies.play.replay import replay, see_lying
from hapenny_sim.studies.play.truth import Names, Truth
from typer.testing import CliRunner

SEED = 7
FIRST_S, EVERY_S = 4.0, 3.0
SHOVES = ((184.15, 0.91), (184.15, 0.86), (250.0, 1.1), (100.0, 0.7), (184.15, 0.55))


def plan(table: SimulatedTable) -> float:
    """Shoves, and one disc lifted off, at the same times at every table; when all is over."""
    at_s = FIRST_S
    for x_mm, speed_m_s in SHOVES:
        table.later(at_s, lambda x=x_mm, v=speed_m_s: table.shove(x, v))
        at_s += EVERY_S
    table.later(at_s, lambda: table.take_off(1))
    return at_s + EVERY_S


@pytest.mark.slow
def test_the_board_in_this_process_is_the_unix_board_shove_for_shove():
    """The same shoves at the same times: every event and every place to the hundredth of a millimetre."""
    start = agree.start("pub", (1, 1), {"order": "given"})
    try:
        unix = Lockstep(seed=SEED)
    except UserError as missing:
        pytest.skip(str(missing))
    here = PlayBoard(seed=SEED)
    try:
        unix.table.simulate = simulate
        unix.command("event", events.encode(start))
        here.say(start)
        end_s = plan(unix.table)
        plan(here.table)
        unix.advance(end_s - unix.table.now_s)
        here.advance(end_s - here.table.now_s)
        assert here.table.discs() == unix.table.discs()
        there = [events.decode(received.data) for received in unix.sink.events]
        assert here.recorded(0) == there and len(there) > len(SHOVES)
        seen = [(disc.x_mm, disc.y_mm) for disc in unix.picture.discs]
        assert [(x, y) for x, y, _, _ in here.seen()] == seen
    finally:
        unix.close()
        here.close()


KEYS = ("shoves discs missed doubled misattributed hung lost ghosts misplaced wrong_per_10k asked_rate left_open_rate "
        "questions_per_turn rms_y_mm style preset seed layout build")  # fmt: skip
CALM = study.Settings(style="ordinary", shoves=8, seed=3)


@pytest.fixture
def calm(monkeypatch):
    """A session in which people only shove, at the board of CALM."""
    monkeypatch.setattr(turn, "MISHAPS", {})
    monkeypatch.setattr(turn, "ENDINGS", {"together": 1.0})
    made = study.session(CALM, 0, CALM.shoves)
    yield made
    made.board.close()


def test_ordinary_shoves_are_all_recorded_and_seen(calm):
    """Nothing is wrong where nothing is planted; every shove and every disc is counted."""
    while calm.tally.shoves < CALM.shoves:
        calm.turn()
    assert calm.tally.shoves == CALM.shoves and not calm.tally.counts
    assert calm.tally.look.discs >= CALM.shoves and np.abs(calm.tally.look.off_y_mm).max() < 5.0


def test_a_tracker_made_blind_misses_every_shove_once(calm):
    """It never wakes: each shove is missed and its disc lost; the turn ends there, so no disc counts twice."""
    calm.board.app.tracker.watch = lambda now_ms: calm.board.app.scan.quick(8) and SAME
    for _ in range(3):
        calm.turn()
    assert calm.tally.counts == {"missed": 3, "lost": 3} and calm.tally.shoves == 3
    assert [(f.turn, f.shove, f.kind) for f in calm.tally.faults[:2]] == [(0, 0, "missed"), (0, 0, "lost")]


def test_a_tracker_that_never_rests_hangs(calm):
    """Three seconds after all is at rest it still sees something move."""

    def follow(now_ms):
        calm.board.app.scan.quick(2)
        return MOVING

    calm.board.app.tracker.follow = follow
    calm.turn()
    assert calm.tally.counts["hung"] == 1 and calm.board.at_rest  # people have switched it off and on


def test_a_shove_recorded_twice_is_doubled(calm):
    """The journal says it, whatever the picture is."""
    scorer = calm.board.app.scorer
    once = scorer.settled

    def twice():
        once()
        if scorer.tracker.shoved >= 0:
            scorer.do(events.shove([*scorer.living(), events.disc(30000, 30000)]))

    scorer.settled = twice
    calm.turn()
    assert calm.tally.counts["doubled"] == 1


def test_looks_count_each_kind_and_a_fault_once():
    """Lost, a ghost, misplaced, wrong, asked and left open; a disc found wrong counts again when it has moved."""
    board = PlayBoard(seed=1)
    table = board.table
    truth = Truth(table)
    bed5, bed7 = 244.475, 307.975
    table.lying = [Lying(0, 100.0, bed5), Lying(1, 200.0, bed5), Lying(2, 100.0, bed7), Lying(3, 60.0, 120.0)]
    doubt = geometry.DOUBTED
    seen = [(100.1, bed5, 4, 4), (200.0, bed7 + 80.0, 7, 7), (112.0, bed7, 7, 7), (60.0, 120.2, doubt, 1)]
    look = truth.look(seen)
    assert (look.discs, look.lost, look.ghosts, look.misplaced, look.wrong) == (4, 1, 1, 1, 1)
    assert (look.asked, look.left_open) == (1, 0) and len(look.off_y_mm) == 2
    again = truth.look(seen)
    assert (again.discs, again.lost, again.misplaced, again.wrong, again.asked) == (1, 0, 0, 0, 1)
    table.lying[0] = Lying(0, 100.0, bed5 + 2.0)
    assert truth.look(seen).wrong == 1
    board.close()


def test_a_place_given_to_another_disc_is_misattributed():
    """The disc listed last is the shoved one; the others stay who they were."""

    class Game:
        discs: list[tuple] = []

    lying = [Lying(4, 100.0, 300.0), Lying(2, 100.0, 200.0)]  # disc 4 lay there, 2 was shoved and struck it
    far, near = events.disc(10000, 30000), events.disc(10010, 20000)
    for listed, right in (([far, near], True), ([near, far], False)):
        names = Names()
        names.which = [4]
        Game.discs = [(*disc, 0) for disc in listed]
        assert names.shove(events.shove(listed, hit=[1]), Game, 2, lying) is right


def test_the_command_says_every_key_draws_and_shows_one_shove_again(tmp_path):
    """The same seed gives the same figures; `--replay` shows the looks of one of its shoves."""
    words = ["play", "--style", "straight", "--shoves", "6", "--seed", "5"]
    result = CliRunner().invoke(app, [*words, "--json", "--plot", str(tmp_path / "play.png")])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert set(KEYS.split()) <= set(found) and found["shoves"] == 6 and found["missed_95"] > 0
    assert (tmp_path / "play.png").stat().st_size > 5000
    settings = study.Settings(style="straight", shoves=6, seed=5)
    assert json.loads(json.dumps(study.run(settings)[0])) == found
    text = replay(settings, 0)
    assert "moves" in text and "rests" in text and "journal" in text


def test_what_cannot_be_is_one_sentence():
    """Unknown styles and presets, and a shove that the study does not have."""
    for settings in (study.Settings(style="wild"), study.Settings(preset="darts"), study.Settings(layout="round")):
        with pytest.raises(UserError, match="choose one of"):
            study.checked(settings)
    with pytest.raises(UserError, match="shoves 0 to 999"):
        replay(study.Settings(), 1000)


def test_discs_laid_down_are_seen_where_they_lie():
    """A one-liner for a case: places in, what the board sees out."""
    ((x, y, verdict),) = see_lying([(200.0, 244.475)])
    assert (x, y) == pytest.approx((200.0, 244.475), abs=1.0) and verdict == "5"
