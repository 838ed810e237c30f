"""The fit of a board's light segments: full reading, blur and errors, from discs along and over the lines."""

from typing import Any

import numpy as np

CLEAR_HMM = 300  # nearer to a segment's end than this, two segments see a disc's edge
WIDE_HMM = 1200  # so much of a segment must be covered to tell its full reading
OVER_HMM = 600  # from centre to line: nearer than this a disc covers the whole groove
EDGE_AREA = 28.0  # times blur^1.5 (hmm): the hmm^2 of groove that a touching disc covers by its blur alone
RULER_HMM = 4.0  # a straightedge lies this far from its line, which adds to the blur
OWN_PART = 5  # a segment's blur differs from the board's by this part of what its readings show
LEAST_ERROR_Q10, LEAST_NOISE_HMM2 = 20, 200  # no board is stated to be better than this


class SegmentFit:
    """Gathers readings. `fit` then writes full readings, blurs and stated errors into the calibration."""

    def __init__(self, calibration: Any, layout: Any) -> None:
        self.calibration, self.layout = calibration, layout
        self.touched: list[list[float]] = [[] for _ in range(layout.LIGHTS)]  # signals, sixteenths of a code
        self.covered: list[list[float]] = [[] for _ in range(layout.LIGHTS)]
        self.idle: list[float] = []

    def signal(self, lit: Any, dark: Any, s: int) -> int:
        """What segment s shows beyond its bare reading, in sixteenths of a code."""
        return self.calibration.signal(lit, dark, 16, s) - int(self.calibration.bare[s])

    def add_touching(self, line: int, x_hmm: float, lit: Any, dark: Any) -> None:
        """A disc at x just touches a line's groove. Segments of far lines show their noise meanwhile."""
        layout = self.layout
        n, within = divmod(int(x_hmm) - layout.LIGHT_X0_HMM, layout.SEGMENT_HMM)
        if 0 <= n < layout.LIGHTS_PER_LINE and CLEAR_HMM < within < layout.SEGMENT_HMM - CLEAR_HMM:
            s = line * layout.LIGHTS_PER_LINE + n
            self.touched[s].append(self.signal(lit, dark, s))
        away = (line + layout.LINES // 2) % layout.LINES * layout.LIGHTS_PER_LINE
        self.idle += [self.signal(lit, dark, s) for s in range(away, away + layout.LIGHTS_PER_LINE)]

    def add_covering(self, x_hmm: int, y_hmm: int, lit: Any, dark: Any) -> None:
        """A disc found at (x, y) covers part of a line's segments, which tells their full readings."""
        layout = self.layout
        line = round((y_hmm - layout.FIRST_LINE_HMM) / layout.LINE_PITCH_HMM)
        away = y_hmm - layout.FIRST_LINE_HMM - line * layout.LINE_PITCH_HMM
        if not 0 <= line < layout.LINES or abs(away) > OVER_HMM:
            return
        half = (layout.DISC_RADIUS_HMM**2 - away * away) ** 0.5
        for n in range(layout.LIGHTS_PER_LINE):
            left = layout.LIGHT_X0_HMM + n * layout.SEGMENT_HMM - x_hmm
            part = min(half, left + layout.SEGMENT_HMM) - max(-half, left)
            if part > WIDE_HMM:
                s = line * layout.LIGHTS_PER_LINE + n
                self.covered[s].append(self.signal(lit, dark, s) * layout.SEGMENT_HMM / part)

    def fit(self) -> None:
        """Write the result into the calibration. A segment that was not measured stays nominal."""
        calibration = self.calibration
        spread = []
        for s, seen in enumerate(self.covered):
            if seen and np.mean(seen) > 0:
                calibration.full[s] = min(65535, int(np.mean(seen)))
                spread += list(np.array(seen) / np.mean(seen) - 1.0)
        if len(spread) > self.layout.LIGHTS:
            error = float(np.sqrt(np.mean(np.square(spread)) * 1.2))  # each mean was made of the same few
            calibration.light_error_q10 = max(LEAST_ERROR_Q10, min(250, int(1024 * error)))
        self._blur()
        if self.idle:
            area = self.layout.SEGMENT_HMM * self.layout.LINE_WIDTH_HMM / np.mean(np.array(calibration.full))
            calibration.light_noise_hmm2 = max(LEAST_NOISE_HMM2, min(9000, int(area * np.std(self.idle))))

    def _blur(self) -> None:
        """Set each blur so that a touching edge covers what was seen: near the board's mean."""
        areas = {}
        for s, seen in enumerate(self.touched):
            if seen:
                area = (
                    np.mean(seen) * self.layout.SEGMENT_HMM * self.layout.LINE_WIDTH_HMM / int(self.calibration.full[s])
                )
                areas[s] = max(area, 0.0)
        if not areas:
            return
        board = (np.mean(list(areas.values())) / EDGE_AREA) ** (2 / 3)
        sharper = max(board**2 - RULER_HMM**2, 0.0) ** 0.5
        for s in range(self.layout.LIGHTS):
            own = (areas[s] / EDGE_AREA) ** (2 / 3) if s in areas else board
            self.calibration.blur[s] = min(40, max(5, round(sharper + (own - board) / OWN_PART)))
