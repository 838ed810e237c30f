"""The commands `calibrate` and `health`: a person, or a simulated one, teaches a board its own sensors."""

from __future__ import annotations

import random
import time
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path
from queue import Empty
from typing import Annotated, Any, Protocol

import platformdirs
import typer
from hapenny.calibration import LEVELS
from hapenny_link.board import Board, Table
from hapenny_link.course import (
    FIRST_X_MM,
    LAST_X_MM,
    OVER_SAMPLES,
    SPIN_REJECT_MM,
    SPIN_TURNS,
    SWEEP_SAMPLES,
    Course,
    Edge,
    edges,
    spin_place_mm,
)
from hapenny_link.errors import BoardGone, UserError
from hapenny_link.pupil import Pupil
from hapenny_link.urls import open_board
from rich.console import Console
from rich.progress import Progress

LAYOUTS = {"standard": "hapenny.layout", "lite": "hapenny.layout_lite"}
BEGINNING = date(2000, 1, 1)
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
APART_MM = 32.0
HALF_TURN = 3.14159265

Url = Annotated[str, typer.Option(help="The board's URL: unix: serial: socket://HOST:PORT")]
Layout = Annotated[str, typer.Option(help="standard or lite.")]


class Hands(Protocol):
    """Who lays the discs."""

    def bare(self) -> None: ...
    def turned(self, disc: int, quarter: int) -> None: ...
    def sweep(self, disc: int, edge: Edge) -> None: ...
    def over(self, line: int) -> None: ...
    def next(self, x_mm: float) -> None: ...


class Person:
    """Somebody at the board, told what to do."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def ask(self, text: str) -> None:
        self.progress.stop()
        self.progress.console.input(f"{text} Then press Enter. ")
        self.progress.start()

    def bare(self) -> None:
        self.ask("Take every disc off the board.")

    def turned(self, disc: int, quarter: int) -> None:
        if quarter == 0:
            self.ask(f"Mark disc {disc + 1} at its edge and lay it in the middle of bed 5, its mark away from you.")
        else:
            self.ask("Turn it a quarter where it lies.")

    def sweep(self, disc: int, edge: Edge) -> None:
        where, mark = ("nearer", "away from") if edge.side > 0 else ("farther", "towards")
        self.ask(
            f"Bed {edge.bed + 1}: lay the straightedge on the {where} line, against its edge inside the bed, and disc "
            f"{disc + 1} against it inside the bed at the left, its mark {mark} you. After Enter slide it slowly right."
        )

    def over(self, line: int) -> None:
        self.ask(f"Line {line + 1}: after Enter push any disc slowly along it, over it, from left to right.")

    def next(self, x_mm: float) -> None:
        """The hand moves by itself."""


class ByItself:
    """A simulated person at a simulated table, exact to what a hand can do."""

    def __init__(self, table: Table, layout: Any, seed: int = 1) -> None:
        self.table, self.layout = table, layout
        self.random = random.Random(seed)
        self.disc, self.y_mm, self.turn, self.spread = 0, 0.0, 0.0, 0.0

    def bare(self) -> None:
        self.table.lay([])

    def turned(self, disc: int, quarter: int) -> None:
        self.table.lay([(disc, *spin_place_mm(self.layout), quarter * HALF_TURN / 2)])

    def sweep(self, disc: int, edge: Edge) -> None:
        self.disc, self.spread = disc, 0.0
        self.y_mm = edge.y_hmm / 100 + self.random.gauss(0, 0.03)
        self.turn = 0.0 if edge.side > 0 else HALF_TURN

    def over(self, line: int) -> None:
        self.spread = 4.0
        self.y_mm = (self.layout.FIRST_LINE_HMM + line * self.layout.LINE_PITCH_HMM) / 100

    def next(self, x_mm: float) -> None:
        turn = self.turn + self.random.gauss(0, 0.15) if not self.spread else self.random.uniform(0, 6.28)
        disc = self.random.randrange(5) if self.spread else self.disc
        y_mm = self.y_mm + self.random.uniform(-self.spread, self.spread)
        self.table.lay([(disc, x_mm, y_mm, turn)])

    def rest(self) -> None:
        """Three discs somewhere, as after shoves."""
        places: list[tuple[float, float]] = []
        while len(places) < 3:
            x, y = self.random.uniform(42, 326), self.random.uniform(103, 386)
            if all((x - a) ** 2 + (y - b) ** 2 > APART_MM**2 for a, b in places):
                places.append((x, y))
        discs = self.random.sample(range(5), 3)
        self.table.lay([(d, x, y, self.random.uniform(0, 6.28)) for d, (x, y) in zip(discs, places, strict=True)])


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
                found += self.course.places(reading)[:1]
                self.course.rest(reading, found[-1:])
            radius = self.course.spin(found) if len(found) == SPIN_TURNS else 9.0
            radii.append(radius)
            word = "good" if radius <= SPIN_REJECT_MM else "its magnet leans: do not play with it"
            self.progress.console.print(f"disc {disc + 1} seems to move by {radius:.2f} mm when turned: {word}")
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


def record(board: str) -> Path:
    """Where this computer keeps what a board was taught with."""
    return Path(platformdirs.user_data_dir("hapenny")) / "boards" / f"{board}.npz"


def hands_for(board: Board, layout: Any, progress: Progress) -> Person | ByItself:
    return ByItself(board.table, layout) if board.table else Person(progress)


def teach(board: Board, layout: Any, discs: int, samples: int, console: Console) -> None:
    """Tare, spin test, sweeps, lines; the result goes to the board."""
    pupil, course = Pupil(board, layout), Course(layout)
    pupil.meet()
    try:
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
    finally:
        pupil.leave()


def refine(board: Board, layout: Any, rests: int, console: Console) -> None:
    """Listens while people play, then fits everything again, sweeps and rests together."""
    pupil, course = Pupil(board, layout), Course(layout)
    pupil.meet()
    try:
        kept = record(pupil.session.state.board)
        if not kept.exists():
            raise UserError("this computer has no sweeps of this board; run 'hapenny calibrate' first")
        course.load(kept)
        course.learn(1)
        pupil.session.conversation.want_frames = True
        hands = ByItself(board.table, layout, int(time.time())) if board.table else None
        with Progress(console=console) as progress:
            listen(pupil, course, hands, progress, rests)
        finish(pupil, course, 2, console)
    finally:
        pupil.session.conversation.want_frames = False
        pupil.leave()


def listen(pupil: Pupil, course: Course, hands: ByItself | None, progress: Progress, rests: int) -> None:
    """Takes readings of discs at rest until there are enough, or a person presses Ctrl-C, and goes on with those."""
    task = progress.add_task("play on", total=rests)
    seen = turn = 0
    try:
        while seen < rests:
            if hands:
                turn += 1
                hands.bare() if turn % 6 == 0 else hands.rest()
            try:
                reading = pupil.readings.get(timeout=SETTLE_S)
            except Empty:
                continue  # nobody plays just now, or the board had not heard yet that we listen
            found = course.places(reading)
            if not found:
                course.bare(reading)
            elif course.rest(reading, found):
                seen += len(found)
                progress.update(task, completed=seen)
    except KeyboardInterrupt:
        progress.console.print(f"{seen} discs at rest were seen")


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
    if text == "not_bare":
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
    except BoardGone as gone:
        raise UserError(f"{gone}; the old calibration stays") from gone
    finally:
        opened.close()


def health(board: Url = "serial:", layout: Layout = "standard") -> None:
    """Say how a board is calibrated, and name every sensor that is not whole."""
    opened = open_board(board)
    pupil = Pupil(opened, chosen(layout))
    try:
        pupil.meet()
        sensors(pupil, Console())
    finally:
        pupil.session.stop()
        opened.close()
