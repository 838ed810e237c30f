"""`hapenny calibrate` on a simulated board: what a person is asked; nothing half done replaces what was there."""

import time
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hapenny import layout, layout_lite
from hapenny.keeping.slots import Store
from hapenny.sensing.calibration import Calibration
from hapenny_host.commands import calibrate as lessons
from hapenny_link.calibration import operators as hands
from hapenny_link.calibration.client import Pupil
from hapenny_link.calibration.measurements import Course, Reading, edges
from hapenny_link.errors import LinkDown, UserError
from rich.console import Console

pytest.importorskip("hapenny_sim.boards.unix")
from hapenny_sim.boards import unix


@pytest.fixture
def board(tmp_path: Path, monkeypatch):
    """A board fresh from its maker's bench: nothing was ever swept."""
    monkeypatch.setattr(unix, "calibrate", lambda *_: None)
    monkeypatch.setattr(lessons.platformdirs, "user_data_dir", lambda _: str(tmp_path / "data"))
    try:
        opened = unix.open_board(f"unix:?seed=5&folder={tmp_path / 'flash'}")
    except UserError as missing:
        pytest.skip(str(missing))
    yield opened
    opened.close()


def stored(board) -> bytes | None:
    return Store(str(board.transport.board.folder / "calibration")).load()


def quiet() -> Console:
    return Console(file=StringIO(), width=500)


def said(console: Console) -> str:
    return console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.timeout(280)
def test_a_board_is_taught_and_refined_and_interruption_leaves_the_old_calibration(board, monkeypatch):
    """From nothing to swept to refined over the link; then Ctrl-C in mid sweep: what is on flash stays."""
    console = quiet()
    lessons.teach(board, layout, 2, 10, console)
    swept = stored(board)
    learned = Calibration(layout)
    learned.decode(swept or b"")
    assert learned.level == 1 and 0 < learned.quality_ut < 40 and learned.date > 9800
    assert "Next: play" in said(console) and "swept on" in said(console)
    lessons.refine(board, layout, 12, quiet())
    refined = stored(board)
    learned.decode(refined or b"")
    assert learned.level == 2

    def interrupted(self, x_mm):
        raise KeyboardInterrupt

    monkeypatch.setattr(hands.ByItself, "next", interrupted)
    console = quiet()
    with pytest.raises(KeyboardInterrupt):
        lessons.teach(board, layout, 1, 10, console)
    assert stored(board) == refined
    assert "stopped; nothing was stored, the old calibration stays" in said(console)


def pull(board, monkeypatch) -> None:
    """Pulls the board's cable."""

    def gone(*_):
        raise LinkDown("no board is plugged in")

    for what in ("open", "read", "write"):
        monkeypatch.setattr(board.transport, what, gone)


@pytest.mark.timeout(120)
def test_a_pulled_cable_is_one_sentence_and_nothing_is_stored(board, monkeypatch):
    """In the spin test, where no disc was seen before; it is noticed in seconds."""
    monkeypatch.setattr(hands.ByItself, "turned", lambda self, disc, n: n == 2 and pull(board, monkeypatch))
    with pytest.raises(UserError, match=r"^the board is gone, its cable or its power; nothing was stored, the old .*$"):
        lessons.teach(board, layout, 1, 10, quiet())
    assert stored(board) is None


@pytest.mark.timeout(120)
def test_a_cable_pulled_while_play_is_listened_to_ends_it(board, monkeypatch, tmp_path):
    """Nobody waits for readings of a board that is gone."""
    (tmp_path / "kept.npz").touch()
    monkeypatch.setattr(Course, "load", lambda *_: None)
    monkeypatch.setattr(Course, "learn", lambda *_: None)
    monkeypatch.setattr(lessons, "SETTLE_S", 0.5)
    monkeypatch.setattr(lessons, "record", lambda _: tmp_path / "kept.npz")
    monkeypatch.setattr(hands.ByItself, "rest", lambda self: pull(board, monkeypatch))
    with pytest.raises(UserError, match="the board is gone"):
        lessons.refine(board, layout, 12, quiet())


@pytest.mark.parametrize("command", ["calibrate", "health"])
def test_without_a_board_it_is_said_at_once_what_is_looked_for_and_soon_what_to_do(command, capfd):
    """Three seconds, not a quarter of a minute."""
    begun = time.monotonic()
    with pytest.raises(UserError, match=r"no board answers at serial:NOSUCH \(no board NOSUCH is plugged in\): plug"):
        getattr(lessons, command)("serial:NOSUCH")
    assert time.monotonic() - begun < 6
    assert "looking for a board at serial:NOSUCH" in capfd.readouterr().err


def test_what_the_board_knows_is_said_in_words():
    """Level, day and the error of places; how good that is, and what would make it better."""
    assert lessons.calibrated(0, 0, 15).startswith("not calibrated") and "hapenny calibrate" in lessons.calibrated(
        0, 0, 15
    )
    assert lessons.calibrated(1, 9830, 7) == (
        "swept on 30 November 2026: every sensor's place is known to 0.07 mm, which is as good as it gets"
    )
    assert lessons.calibrated(2, 0, 11).startswith("refined by its maker") and "good" in lessons.calibrated(2, 0, 11)
    assert "poor" in lessons.calibrated(1, 9830, 20)


@pytest.mark.parametrize(("radius", "says"), [
    (0.04, "0.04 mm when turned: good"), (0.0999, "0.10 mm when turned: good"),
    (0.1001, "0.11 mm when turned: its magnet leans a little, good to play with"), (0.2, "0.20 mm when turned: its"),
    (0.2001, "0.21 mm when turned, more than the 0.20 allowed: its magnet leans, do not"), (9.0, "was not seen"),
])  # fmt: skip
def test_the_spin_test_s_figure_lies_on_its_verdict_s_side_of_the_limit(radius, says):
    """A bad disc never shows the figure of a good one."""
    assert says in lessons.spun(radius)


@pytest.mark.timeout(120)
def test_a_frame_of_another_length_is_said_and_teaches_nothing(board):
    """The board sends as many channels as the standard layout has; the lite one has fewer."""
    pupil = Pupil(board, layout)
    pupil.meet()
    pupil.layout = layout_lite
    with pytest.raises(UserError, match="of another layout; say --layout"):
        pupil.read(4, 2)
    pupil.layout = layout
    assert len(pupil.read(4, 2).halls) == layout.HALLS
    pupil.leave()


@pytest.mark.timeout(120)
def test_sensors_that_stand_still_teach_nothing_and_are_said(board):
    """Two readings with not one sensor changed: a sentence, not an endless sweep; `hapenny health` says it, too."""
    pupil = Pupil(board, layout)
    pupil.meet()
    pupil.read(4, 2)
    board.table.sensors.faults.frozen = True
    pupil.read(4, 2)
    with pytest.raises(UserError, match="stand still, not one changes"):
        pupil.read(4, 2)
    end = time.monotonic() + 20
    while pupil.status.state != "frozen" and time.monotonic() < end:
        time.sleep(0.05)
    console = quiet()
    lessons.sensors(pupil, console)
    assert "stand still, not one changes" in said(console)
    pupil.leave()


def test_a_bare_reading_of_another_layout_teaches_nothing():
    """One sentence with both numbers, and nothing is kept of it."""
    course = Course(layout)
    with pytest.raises(ValueError, match="has 124 Halls and 60 segments"):
        course.bare(Reading(np.zeros(124, np.int32), np.zeros(60, np.int32), np.zeros(60, np.int32), 64))
    assert not course.kept


def test_a_hall_that_is_not_whole_teaches_nothing():
    """Dead at the tare of the lesson: it is in no frame, and what is known of it stays as it was."""
    course = Course(layout)
    bare = np.full(layout.HALLS, 2048 * 16), np.full(layout.LIGHTS, 380 * 16), np.full(layout.LIGHTS, 230 * 16)
    bare[0][5] = 0
    course.bare(Reading(*bare, 64))
    halls = bare[0].copy()
    halls[4:7] += np.array([3000, 9000, 3200])
    assert course.sweep(course.halls.edge(), next(edges(layout)), Reading(halls, *bare[1:], 16)) is not None
    assert 5 not in course.halls.frames[0].near and 4 in course.halls.frames[0].near


@pytest.mark.timeout(120)
def test_a_damaged_calibration_is_refused_over_the_link_and_guidance_lights_the_bed(board):
    """The board says why; its flash stays as it was. While it is taught the pegs show the bed, afterwards the game."""
    pupil = Pupil(board, layout)
    pupil.meet()
    blob = bytearray(Calibration(layout).encode())
    blob[100] ^= 1
    with pytest.raises(UserError, match=r"damaged.*the old one stays"):
        pupil.keep(bytes(blob))
    assert stored(board) is None
    pupil.guide(12, 3, 2)
    lit = set()
    end = time.monotonic() + 20  # they blink, and a busy machine sees them seldom
    while not {12, 13, 14} <= lit and time.monotonic() < end:
        pupil.read(4, 2)
        lit |= {k for k, colour in enumerate(board.table.pixels()) if any(colour)}
    assert {12, 13, 14} <= lit <= {12, 13, 14, 27, 28, 44, 45, 46, 59, 60}
    pupil.leave()


def test_a_person_is_told_each_step_in_one_sentence():
    """Bed, line and disc are named as a person counts them."""
    said: list[str] = []

    class Terminal:
        stop = start = staticmethod(lambda: None)

        class console:
            input = staticmethod(said.append)

    person = hands.Person(Terminal())  # type: ignore[arg-type]
    person.bare()
    person.turned(0, 0)
    person.turned(0, 1)
    person.sweep(2, next(edges(layout)))
    person.over(9)
    assert "every disc off" in said[0] and "disc 1" in said[1] and "quarter" in said[2]
    assert "Bed 1" in said[3] and "nearer line" in said[3] and "disc 3" in said[3]
    assert "Line 10" in said[4]


def test_what_was_taught_can_be_kept_and_taught_again(tmp_path: Path):
    """Readings saved and loaded give the same frames to learn from."""
    course = Course(layout)
    bare = np.full(layout.HALLS, 2048 * 16), np.full(layout.LIGHTS, 380 * 16), np.full(layout.LIGHTS, 230 * 16)
    course.bare(Reading(*bare, 64))
    halls = bare[0].copy()
    halls[4:7] += np.array([3000, 9000, 3200])
    edge = next(edges(layout))
    assert course.sweep(course.halls.edge(), edge, Reading(halls, *bare[1:], 16)) is not None
    course.save(tmp_path / "kept.npz")
    again = Course(layout)
    again.load(tmp_path / "kept.npz")
    assert again.halls.edges == 1 and len(again.halls.frames) == 1
    assert np.allclose(again.halls.frames[0].discs, course.halls.frames[0].discs)
    assert list(again.nominal.scales) == list(course.nominal.scales)
