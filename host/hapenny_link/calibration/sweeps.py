"""Where discs go in a calibration: the places of the spin test, of every sweep and along every line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SWEEP_SAMPLES = 57  # along one edge of a bed
LINE_SAMPLES = 36  # along one line
FIRST_X_MM, LAST_X_MM = 36.0, 332.0
SPIN_TURNS = 4
SPIN_OFF_MM = 4.0  # from a row of Halls: there y is measured best


@dataclass(frozen=True)
class Sweep:
    """A disc slid along the far (side -1) or near (side 1) limit of a bed."""

    bed: int  # from 0
    side: int
    line: int  # that it touches, from 0
    y_hmm: int  # of the disc's middle

    @property
    def mark(self) -> int:
        """Where the mark on the disc points: 1 to the far end, -1 to the player. It alternates from bed to bed."""
        return self.side if self.bed % 2 == 0 else -self.side


def sweeps(layout: Any) -> Iterator[Sweep]:
    """Every sweep, bed by bed: above the nearer line, then below the farther one."""
    clear = layout.DISC_RADIUS_HMM + layout.LINE_WIDTH_HMM // 2
    for bed in range(layout.BEDS):
        for side, line in ((1, bed), (-1, bed + 1)):
            yield Sweep(bed, side, line, layout.FIRST_LINE_HMM + line * layout.LINE_PITCH_HMM + side * clear)


def spin_place_mm(layout: Any) -> tuple[float, float]:
    """(x, y) where discs are turned in the spin test: the middle of the board, near a row of Halls."""
    row_hmm = layout.FIRST_LINE_HMM + (layout.BEDS // 2) * layout.LINE_PITCH_HMM + layout.LINE_PITCH_HMM / 2
    return layout.WIDTH_HMM / 200, row_hmm / 100 + SPIN_OFF_MM
