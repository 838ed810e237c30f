"""The steps of a calibration from the tare to the stored result, and of refining it from ordinary play."""

import contextlib
import math
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from queue import Empty
from typing import Any

import platformdirs
from rich.console import Console
from rich.progress import Progress

from hapenny_link.board import Board
from hapenny_link.calibration.client import CalibrationClient
from hapenny_link.calibration.measurements import SPIN_GOOD_MM, Measurements, Reading
from hapenny_link.calibration.operators import Operator, SimulatedHand, operator_for
from hapenny_link.calibration.report import DAY_ZERO, print_report
from hapenny_link.calibration.sweeps import FIRST_X_MM, LAST_X_MM, LINE_SAMPLES, SPIN_TURNS, Sweep, sweeps
from hapenny_link.errors import BoardGone, UserError

NOT_SEEN_MM = 9.0
SPIN_PLAY_MM = 0.20  # 99 of 100 discs of docs/accuracy.md seem to move by less
ENOUGH = 0.9  # of the places along a line; the rest is not waited for
TARES = 3
NEXT_REST_S = 4.0
WORST_QUALITY_UT = 60

UNCHANGED = "nothing was stored, the old calibration stays"
STORED = "the new calibration was stored before"


class Procedure:
    """The steps of a calibration with one board."""

    def __init__(
        self,
        client: CalibrationClient,
        measurements: Measurements,
        operator: Operator,
        progress: Progress,
        samples: int,
    ) -> None:
        self.client, self.measurements, self.operator = client, measurements, operator
        self.progress = progress
        self.layout = measurements.layout
        self.samples = samples
        self.sweeps = list(sweeps(self.layout))
        total = len(self.sweeps) * samples + self.layout.LINES * min(samples, LINE_SAMPLES)
        self.task = progress.add_task("calibrating", total=total)

    def run(self, discs: int) -> None:
        """Every step, with so many discs in the spin test."""
        self.tare()
        best_disc = self.spin_test(discs)
        self.tare()
        for sweep in self.sweeps:
            self.sweep(best_disc, sweep)
        for line in range(self.layout.LINES):
            self.cover_line(line)
        self.tare()

    def light(self, first: int, lit: int) -> None:
        """Light the pegs beside the place in question."""
        task = self.progress.tasks[self.task]
        self.client.guide(first, lit, int(5 * task.completed / (task.total or 1)))

    def tare(self) -> None:
        """Read the bare board."""
        self.operator.clear()
        self.light(0, 0)
        for _ in range(TARES):
            self.measurements.add_bare(self.client.read(64, 16))

    def spin_test(self, discs: int) -> int:
        """Turn every disc where it lies. Returns the number of the best; UserError if none was seen at all turns."""
        middle = self.layout.BEDS // 2 * self.layout.PEGS_PER_BED
        self.light(middle, self.layout.PEGS_PER_BED)
        radii = []
        for disc in range(discs):
            seen_at = []
            for quarter in range(SPIN_TURNS):
                self.operator.turn(disc, quarter)
                reading = self.client.read(64, 16)
                here = self.measurements.places(reading)[:1]
                seen_at += here
                if here:
                    self.measurements.add_rest(reading, here)
            radius = self.measurements.add_spin(seen_at) if len(seen_at) == SPIN_TURNS else NOT_SEEN_MM
            radii.append(radius)
            self.progress.console.print(f"disc {disc + 1} {spin_result(radius)}")
        if min(radii) > 4 * SPIN_GOOD_MM:
            raise UserError("no disc was seen in the middle of bed 5 at all four turns; begin again")
        return radii.index(min(radii))

    def sweep(self, disc: int, sweep: Sweep) -> None:
        """Slide the disc along one limit of a bed."""
        self.operator.begin_sweep(disc, sweep)
        peg = sweep.bed * self.layout.PEGS_PER_BED + (0 if sweep.side > 0 else self.layout.PEGS_PER_BED - 1)
        self.light(peg, 1)
        straightedge = self.measurements.hall_fit.lay_straightedge()
        self.sample(
            self.samples,
            lambda reading, wanted: self.measurements.add_sweep(straightedge, sweep, reading, wanted),
        )

    def cover_line(self, line: int) -> None:
        """Push discs along a line, over it."""
        self.operator.begin_line(line)
        self.light(max(0, line * self.layout.PEGS_PER_BED - 1), 2)
        self.sample(min(self.samples, LINE_SAMPLES), self.measurements.add_over_line)

    def sample(self, samples: int, take: Any) -> None:
        """Take readings at so many places between the board's sides, in whatever order the disc reaches them."""
        step = (LAST_X_MM - FIRST_X_MM) / (samples - 1)
        wanted = [FIRST_X_MM + n * step for n in range(samples)]
        missing = set(range(samples))

        def index_of(x_mm: float) -> int:
            return round((x_mm - FIRST_X_MM) / step)

        tries = 0
        while len(missing) > (1 - ENOUGH) * samples:
            self.operator.slide_to(wanted[sorted(missing)[tries % len(missing)]])
            tries += 1
            x_mm = take(self.client.read(16, 8), lambda x_mm: index_of(x_mm) in missing)
            if x_mm is not None:
                missing.discard(index_of(x_mm))
                self.progress.advance(self.task)
        self.progress.advance(self.task, len(missing))


def spin_result(radius_mm: float) -> str:
    """What the spin test says of a disc. Its figure is rounded so that it stays on its side of the limit."""
    if radius_mm >= NOT_SEEN_MM:
        return "was not seen at all four turns"
    if radius_mm <= SPIN_GOOD_MM:
        return f"seems to move by {radius_mm:.2f} mm when turned: good"
    moves = f"seems to move by {math.ceil(100 * radius_mm) / 100:.2f} mm when turned"
    if radius_mm <= SPIN_PLAY_MM:
        return f"{moves}: its magnet leans a little, good to play with"
    return f"{moves}, more than the {SPIN_PLAY_MM:.2f} allowed: its magnet leans, do not play with it"


def recording_path(board: str) -> Path:
    """Where this computer keeps the readings that a board was calibrated with."""
    return Path(platformdirs.user_data_dir("hapenny")) / "boards" / f"{board}.npz"


@contextlib.contextmanager
def connected(board: Board, layout: Any, console: Console) -> Iterator[CalibrationClient]:
    """A client that is connected. However the calibration ends, the console says which calibration the board has."""
    client = CalibrationClient(board, layout)
    console.print(f"looking for a board at {board.url} ...")
    client.connect()
    try:
        client.check_layout()
        yield client
    except KeyboardInterrupt:
        console.print(f"stopped; {STORED if client.stored else UNCHANGED}")
        raise
    except BoardGone as gone:
        outcome = STORED if client.stored else UNCHANGED
        raise UserError(f"the board is gone, its cable or its power; {outcome}") from gone
    finally:
        client.session.conversation.want_frames = False
        client.leave()


def calibrate(board: Board, layout: Any, discs: int, samples: int, console: Console) -> None:
    """Tare, spin test, sweeps and lines. The result is stored on the board."""
    measurements = Measurements(layout)
    with connected(board, layout, console) as client:
        with Progress(console=console) as progress:
            operator = operator_for(board, layout, progress)
            Procedure(client, measurements, operator, progress, samples).run(discs)
        finish(client, measurements, 1, console)


def refine(board: Board, layout: Any, rests: int, console: Console) -> None:
    """Listen while people play, then fit sweeps and discs at rest together."""
    measurements = Measurements(layout)
    with connected(board, layout, console) as client:
        recording = recording_path(client.session.state.board)
        if not recording.exists():
            raise UserError("this computer has no sweeps of this board; run 'hapenny calibrate' first")
        measurements.load(recording)
        measurements.calibrate(1)
        client.session.conversation.want_frames = True
        hand = SimulatedHand(board.table, layout, int(time.time())) if board.table else None
        with Progress(console=console) as progress:
            seen = listen(client, measurements, hand, progress, rests)
        if not seen:
            raise UserError(f"no disc was seen at rest; {UNCHANGED}")
        finish(client, measurements, 2, console)


def listen(
    client: CalibrationClient, measurements: Measurements, hand: SimulatedHand | None, progress: Progress, rests: int
) -> int:
    """Take readings of discs at rest until there are enough, or a person presses Ctrl-C. Returns how many."""
    task = progress.add_task("play on", total=rests)
    seen = turn = 0
    try:
        while seen < rests:
            if hand:
                turn += 1
                hand.clear() if turn % 6 == 0 else hand.lay_at_random()
            reading = next_rest(client)
            if reading is None:
                continue
            found = measurements.places(reading)
            if not found:
                measurements.add_bare(reading)
            elif measurements.add_rest(reading, found):
                seen += len(found)
                progress.update(task, completed=seen)
    except KeyboardInterrupt:
        progress.console.print(f"{seen} discs at rest were seen; Ctrl-C again stops without learning from them")
    return seen


def next_rest(client: CalibrationClient) -> Reading | None:
    """The next reading; None if nobody plays at the moment. BoardGone: the board is not connected any more."""
    try:
        return client.readings.get(timeout=NEXT_REST_S)
    except Empty:
        if not client.session.state.connected:
            raise BoardGone("no readings") from None
        return None


def finish(client: CalibrationClient, measurements: Measurements, level: int, console: Console) -> None:
    """Fit, store the result on the board and the readings on this computer, and say how good it is."""
    console.print("fitting ...")
    calibration = measurements.calibrate(level, (date.today() - DAY_ZERO).days)
    if calibration.quality_ut > WORST_QUALITY_UT:
        raise UserError(f"the sweeps do not fit together ({calibration.quality_ut} uT left); the old calibration stays")
    client.store(calibration.encode())
    measurements.save(recording_path(client.session.state.board))
    console.print(
        f"stored; {calibration.quality_ut} uT of what was seen are left unexplained; each Hall's gain is known to "
        f"{calibration.gain_error_q10 / 10.24:.1f} %, light to {calibration.light_error_q10 / 10.24:.0f} %"
    )
    print_report(client, console)
    console.print("Next: play; 'hapenny calibrate --refine' listens to it and makes this better." if level == 1 else "")
