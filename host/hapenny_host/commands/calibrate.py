"""The commands `calibrate` and `health`: a person, or a simulated one, teaches a board its own sensors."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path
from queue import Empty
from typing import Annotated, Any

import platformdirs
import typer
from hapenny.sensing.calibration import LEVELS
from hapenny_link.board import Board
from hapenny_link.calibration.client import FROZEN, Pupil
from hapenny_link.calibration.measurements import (
    FIRST_X_MM,
    LAST_X_MM,
    OVER_SAMPLES,
    SPIN_REJECT_MM,
    SPIN_TURNS,
    SWEEP_SAMPLES,
    Course,
    Edge,
    Reading,
    edges,
)
from hapenny_link.calibration.operators import ByItself, Hands, hands_for
from hapenny_link.errors import BoardGone, UserError
from hapenny_link.urls import open_board
from rich.console import Console
from rich.progress import Progress

LAYOUTS = {"standard": "hapenny.layout", "lite": "hapenny.layout_lite"}
BEGINNING = date(2000, 1, 1)
NOT_SEEN_MM = 9.0
SPIN_PLAY_MM = 0.20  # of the discs that docs/accuracy.md was made with 99 of 100 seem to move by less
ENOUGH = 0.9  # of the places along a line, seen: the rest is not waited for
SETTLE_S = 4.0
SAID_S = 0.5  # until the board has said everything
MOST_NAMED = 7  # sensors that a board names at once
# what the stated error of places means for play, hundredths of a millimetre and worse
QUALITIES = (
    (9, "which is as good as it gets"),
    (12, "which is good"),
    (999, "which is poor: 'hapenny calibrate' again, with a straightedge that is not steel"),
)

UNCHANGED = "nothing was stored, the old calibration stays"
STORED = "the new calibration was stored before"

Url = Annotated[str, typer.Option(help="The board's URL: unix: serial: socket://HOST:PORT")]
Layout = Annotated[str, typer.Option(help="standard or lite.")]


class Lesson:
    """The whole course with one board."""

    def __init__(self, pupil: Pupil, course: Course, hands: Hands, progress: Progress, samples: int) -> None:
        self.pupil, self.course, self.hands, self.progress = pupil, course, hands, progress
        self.layout = course.layout
        self.samples = samples
        self.sweeps = list(edges(self.layout))
        total = len(self.sweeps) * samples + self.layout.LINES * min(samples, OVER_SAMPLES)
        self.task = progress.add_task("teaching", total=total)

    def show(self, first: int, lit: int) -> None:
        task = self.progress.tasks[self.task]
        self.pupil.guide(first, lit, int(5 * task.completed / (task.total or 1)))

    def tare(self) -> None:
        self.hands.bare()
        self.show(0, 0)
        for _ in range(3):
            self.course.bare(self.pupil.read(64, 16))

    def spin(self, discs: int) -> int:
        """Every disc turned in its place; the number of the best. UserError if none is good."""
        middle = self.layout.BEDS // 2 * self.layout.PEGS_PER_BED
        self.show(middle, self.layout.PEGS_PER_BED)
        radii = []
        for disc in range(discs):
            found = []
            for quarter in range(SPIN_TURNS):
                self.hands.turned(disc, quarter)
                reading = self.pupil.read(64, 16)
                here = self.course.places(reading)[:1]
                found += here
                if here:
                    self.course.rest(reading, here)
            radius = self.course.spin(found) if len(found) == SPIN_TURNS else NOT_SEEN_MM
            radii.append(radius)
            self.progress.console.print(f"disc {disc + 1} {spun(radius)}")
        if min(radii) > 4 * SPIN_REJECT_MM:
            raise UserError("no disc was seen in the middle of bed 5 at all four turns; begin again")
        return radii.index(min(radii))

    def sweep(self, disc: int, edge: Edge) -> None:
        self.hands.sweep(disc, edge)
        peg = edge.bed * self.layout.PEGS_PER_BED + (0 if edge.side > 0 else self.layout.PEGS_PER_BED - 1)
        self.show(peg, 1)
        number = self.course.halls.edge()
        self.along(self.samples, lambda reading, wanted: self.course.sweep(number, edge, reading, wanted))

    def over(self, line: int) -> None:
        self.hands.over(line)
        self.show(max(0, line * self.layout.PEGS_PER_BED - 1), 2)
        self.along(min(self.samples, OVER_SAMPLES), self.course.over)

    def along(self, samples: int, take: Any) -> None:
        """Readings with the disc in as many places between the board's sides, in whatever order they come."""
        step = (LAST_X_MM - FIRST_X_MM) / (samples - 1)
        wanted = [FIRST_X_MM + n * step for n in range(samples)]
        missing = set(range(samples))

        def place_of(x_mm: float) -> int:
            return round((x_mm - FIRST_X_MM) / step)

        tries = 0
        while len(missing) > (1 - ENOUGH) * samples:
            self.hands.next(wanted[sorted(missing)[tries % len(missing)]])
            tries += 1
            x_mm = take(self.pupil.read(16, 8), lambda x_mm: place_of(x_mm) in missing)
            if x_mm is not None:
                missing.discard(place_of(x_mm))
                self.progress.advance(self.task)
        self.progress.advance(self.task, len(missing))


def spun(radius_mm: float) -> str:
    """What the spin test says of a disc: hundredths are rounded so that none looks better or worse than the limit."""
    if radius_mm >= NOT_SEEN_MM:
        return "was not seen at all four turns"
    if radius_mm <= SPIN_REJECT_MM:
        return f"seems to move by {radius_mm:.2f} mm when turned: good"
    moves = f"seems to move by {math.ceil(100 * radius_mm) / 100:.2f} mm when turned"
    if radius_mm <= SPIN_PLAY_MM:
        return f"{moves}: its magnet leans a little, good to play with"
    return f"{moves}, more than the {SPIN_PLAY_MM:.2f} allowed: its magnet leans, do not play with it"


def record(board: str) -> Path:
    """Where this computer keeps what a board was taught with."""
    return Path(platformdirs.user_data_dir("hapenny")) / "boards" / f"{board}.npz"


@contextlib.contextmanager
def at_school(board: Board, layout: Any, console: Console) -> Iterator[Pupil]:
    """A pupil that listens; however its lesson ends, what was kept is said."""
    pupil = Pupil(board, layout)
    console.print(f"looking for a board at {board.url} ...")
    pupil.meet()
    try:
        yield pupil
    except KeyboardInterrupt:
        console.print(f"stopped; {STORED if pupil.kept else UNCHANGED}")
        raise
    except BoardGone as gone:
        raise UserError(f"the board is gone, its cable or its power; {STORED if pupil.kept else UNCHANGED}") from gone
    finally:
        pupil.session.conversation.want_frames = False
        pupil.leave()


def teach(board: Board, layout: Any, discs: int, samples: int, console: Console) -> None:
    """Tare, spin test, sweeps, lines; the result goes to the board."""
    course = Course(layout)
    with at_school(board, layout, console) as pupil:
        with Progress(console=console) as progress:
            lesson = Lesson(pupil, course, hands_for(board, layout, progress), progress, samples)
            lesson.tare()
            best = lesson.spin(discs)
            lesson.tare()
            for edge in lesson.sweeps:
                lesson.sweep(best, edge)
            for line in range(layout.LINES):
                lesson.over(line)
            lesson.tare()
        finish(pupil, course, 1, console)


def refine(board: Board, layout: Any, rests: int, console: Console) -> None:
    """Listens while people play, then fits everything again, sweeps and rests together."""
    course = Course(layout)
    with at_school(board, layout, console) as pupil:
        kept = record(pupil.session.state.board)
        if not kept.exists():
            raise UserError("this computer has no sweeps of this board; run 'hapenny calibrate' first")
        course.load(kept)
        course.learn(1)
        pupil.session.conversation.want_frames = True
        hands = ByItself(board.table, layout, int(time.time())) if board.table else None
        with Progress(console=console) as progress:
            seen = listen(pupil, course, hands, progress, rests)
        if not seen:
            raise UserError(f"no disc was seen at rest; {UNCHANGED}")
        finish(pupil, course, 2, console)


def listen(pupil: Pupil, course: Course, hands: ByItself | None, progress: Progress, rests: int) -> int:
    """Takes readings of discs at rest until there are enough, or a person presses Ctrl-C; returns how many."""
    task = progress.add_task("play on", total=rests)
    seen = turn = 0
    try:
        while seen < rests:
            if hands:
                turn += 1
                hands.bare() if turn % 6 == 0 else hands.rest()
            reading = heard(pupil)
            if reading is None:
                continue
            found = course.places(reading)
            if not found:
                course.bare(reading)
            elif course.rest(reading, found):
                seen += len(found)
                progress.update(task, completed=seen)
    except KeyboardInterrupt:
        progress.console.print(f"{seen} discs at rest were seen; Ctrl-C again stops without learning from them")
    return seen


def heard(pupil: Pupil) -> Reading | None:
    """The next reading; None if nobody plays just now, or the board had not heard yet that we listen."""
    try:
        return pupil.readings.get(timeout=SETTLE_S)
    except Empty:
        if not pupil.session.state.connected:
            raise BoardGone("no readings") from None
        return None


def finish(pupil: Pupil, course: Course, level: int, console: Console) -> None:
    """Learns, stores on the board and on this computer, says how good it is."""
    console.print("learning ...")
    calibration = course.learn(level, (date.today() - BEGINNING).days)
    if calibration.quality_ut > 60:
        raise UserError(f"the sweeps do not fit together ({calibration.quality_ut} uT left); the old calibration stays")
    pupil.keep(calibration.encode())
    course.save(record(pupil.session.state.board))
    console.print(
        f"stored; {calibration.quality_ut} uT of what was seen are left unexplained; each Hall's gain is known to "
        f"{calibration.gain_error_q10 / 10.24:.1f} %, light to {calibration.light_error_q10 / 10.24:.0f} %"
    )
    sensors(pupil, console)
    console.print("Next: play; 'hapenny calibrate --refine' listens to it and makes this better." if level == 1 else "")


def sensors(pupil: Pupil, console: Console) -> None:
    """What the board says of itself: how it is calibrated, where it calls nothing, every sensor that is not whole."""
    pupil.said.clear()
    pupil.session.command("health")
    time.sleep(SAID_S)
    told = [line for line in pupil.said if line.startswith("calibration ")]
    faulty = [line for line in pupil.said if line not in told]
    if not told:
        raise UserError("the board says nothing of itself; 'hapenny flash' gives it firmware that does")
    console.print(calibrated(*map(int, told[0].split()[1:])))
    text = pupil.status.health
    if pupil.status.state == "frozen":
        console.print(FROZEN)
    elif text == "not_bare":
        console.print("the sensors have no zero yet: take every disc off the board")
    elif not faulty:
        console.print("every sensor is whole")
    elif text.startswith("no call"):
        console.print(f"{text}: every disc there is a question for people until they are mended")
    for line in faulty:
        console.print(line)
    if len(faulty) == MOST_NAMED:
        console.print(f"only {MOST_NAMED} are named")


def calibrated(level: int, day: int, place_hmm: int) -> str:
    """A sentence for whoever keeps the board: when it was calibrated, how well, what would make it better."""
    if not level:
        return "not calibrated: it plays, but asks more often; 'hapenny calibrate' takes half an hour"
    when = (BEGINNING + timedelta(day)).strftime("on %d %B %Y") if day else "by its maker"
    words = [word for limit, word in QUALITIES if place_hmm <= limit]
    return f"{LEVELS[level]} {when}: every sensor's place is known to {place_hmm / 100:.2f} mm, {words[0]}"


def chosen(layout: str) -> Any:
    if layout not in LAYOUTS:
        raise UserError(f"there is no layout '{layout}'; say standard or lite")
    return import_module(LAYOUTS[layout])


def calibrate(
    board: Url = "serial:",
    layout: Layout = "standard",
    refined: Annotated[
        bool, typer.Option("--refine", help="Listen while you play; improve what sweeps taught.")
    ] = False,
    discs: Annotated[int, typer.Option(help="How many discs to try in the spin test.", min=1, max=20)] = 5,
    samples: Annotated[int, typer.Option(help="Places along a line.", min=8, max=120)] = SWEEP_SAMPLES,
    rests: Annotated[int, typer.Option(help="Discs at rest that --refine waits for.", min=10)] = 300,
) -> None:
    """Teach a board its own sensors, half an hour, once; simulated boards do it by themselves."""
    opened = open_board(board)
    console = Console(stderr=True)
    try:
        if refined:
            refine(opened, chosen(layout), rests, console)
        else:
            teach(opened, chosen(layout), discs, samples, console)
    finally:
        opened.close()


def health(board: Url = "serial:") -> None:
    """Say how a board is calibrated, where it calls nothing, and name every sensor that is not whole."""
    ask(board, Console())


def ask(url: str, console: Console) -> None:
    """Has a board say how it is. UserError if there is none."""
    opened = open_board(url)
    pupil = Pupil(opened, None)
    Console(stderr=True).print(f"looking for a board at {url} ...")
    try:
        pupil.find()
        sensors(pupil, console)
    except BoardGone as gone:
        raise UserError("the board is gone, its cable or its power; plug it in and say it again") from gone
    finally:
        pupil.session.stop()
        opened.close()
