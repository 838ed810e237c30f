"""The fit of a board's Halls: one joint fit of all sensors, straightedges and discs to the recorded frames."""

from dataclasses import dataclass
from typing import Any

import numpy as np

# priors, as standard deviations
GAIN = 0.03  # DRV5055: within 5 %
PLACE_HMM = 20.0
DEPTH = 0.03  # a Hall's depth, share of its distance from the magnet
RULER_HMM = 4.0  # of a straightedge along a real line, at each end
ECCENTRIC_HMM = 5.0  # of the swept disc's magnet off its middle, towards the mark
HEIGHT = 0.006  # of a disc's magnet, share of its distance from the Halls
HAND_HMM = 4.0  # of the disc along the straightedge, in each frame
MOMENT = 0.03
LEAN = 0.015  # of a disc's magnet, radians; a spin-tested disc leans a third of it
LEVEL_UT = 15.0
# noise of one Hall in one frame, microtesla
PASS_UT = 40.0  # one pass
DRIFT_UT = 6.0  # since the tare, with the ADC's own errors
SHAPE = 0.0015  # share of the field: errors of the field table
BEND = 0.004  # the same under a disc, where it has grown with the field: other depths, and a Hall that is not linear
NEAR_HMM = 4500.0
FEWEST = 3  # Halls that must see a disc
WEAK_UT = 800.0  # of the strongest Hall under a disc
WOBBLE = 0.004  # of the swept disc's lean, because its mark never points exactly where it should
SWEPT_WEIGHTS = np.array([HAND_HMM**-2, 1e6, WOBBLE**-2, WOBBLE**-2, 1e7])  # of what is known of a swept disc
SWEPT = 5  # unknowns of the swept disc: moment, lean about both axes, height, eccentricity
LOOSE = (1.0,) * 4  # prior of a swept disc's moment, leans and height in one frame: those of all frames bind them
ROBUST = 3.0  # standard deviations: a larger residual counts less
SETTLE_ROUNDS, FIT_ROUNDS = 6, 3
STILL_HMM = 0.3  # a step that ends a frame's own fit
POOR, UNKNOWN = 6.0, 1e9  # frames with a larger chi squared are left out: once the sensors are fitted, and before
MANY, LEAST_LEAN = 60, 0.005  # so many leans are seen before they replace the prior LEAN
# a deeper Hall sees a fainter, wider field; both factors were fitted to exact cylinders at 7 to 9 mm
FAINTER, WIDER = 2.48, 1.5
TYPICAL_HMM2 = 500.0**2  # squared distance at which the error of gain is stated
PER_DISC = 6  # unknowns: x, y, moment, lean about both axes, height


@dataclass
class Frame:
    """One reading with discs on the board: what the Halls nearby saw, and the unknowns fitted to it."""

    near: np.ndarray  # numbers of the Halls
    seen_ut: np.ndarray
    variance: np.ndarray
    discs: np.ndarray  # (discs, PER_DISC): x and y in hmm, moment over the standard one, leans in radians, height share
    prior_sd: np.ndarray  # prior standard deviations of the unknowns: PER_DISC for each disc, then the level
    level_ut: float = 0.0
    straightedge: int = -1  # number of the straightedge along which the disc lies
    y_hmm: float = 0.0
    mark: int = 0
    eliminated: Any = None  # what carries the last joint step over to this frame's own unknowns


class Field:
    """A standard disc's field over squared distance, and its derivatives, from the layout's table."""

    def __init__(self, layout: Any) -> None:
        table = np.array(layout.FIELD_UT, dtype=np.float64).reshape(-1, 3)
        self.near = layout.FIELD_NEAR_STEPS
        self.step, self.far_step = 1 << layout.FIELD_NEAR_SHIFT, 1 << layout.FIELD_FAR_SHIFT
        steps = np.arange(len(table))
        u = np.where(steps < self.near, steps * self.step, (steps - self.near) * self.far_step + self.near * self.step)
        self.values = np.stack([table[:, 0], np.gradient(table[:, 0], u), table[:, 2] / 1024])

    def at(self, u: np.ndarray) -> np.ndarray:
        """At squared distances u: the field, its derivative by u, its change for a lean of one radian at one hmm."""
        near = self.near * self.step
        step = np.where(u < near, u / self.step, self.near + (u - near) / self.far_step)
        low = np.minimum(step.astype(int), self.values.shape[1] - 2)
        before = self.values[:, low]
        return before + (self.values[:, low + 1] - before) * (step - low)


class HallFit:
    """Takes frames of sweeps and rests. `fit` then corrects a calibration and states its errors.

    Unknown are gain, x, y and depth of every Hall, offset and turn of every straightedge, and x, y, moment and lean of
    every disc in every frame. The last are eliminated frame by frame (Schur complement). The method is Gauss-Newton
    with priors and robust weights.
    """

    def __init__(self, layout: Any) -> None:
        self.layout = layout
        self.field = Field(layout)
        self.frames: list[Frame] = []
        self.straightedges = 0
        self.lean = LEAN
        self.place = np.stack([np.array(layout.HALL_X_HMM, float), np.array(layout.HALL_Y_HMM, float)], axis=1)
        self.halls = np.zeros((layout.HALLS, 4))  # gain, x, y, depth against nominal
        self.common = np.zeros(SWEPT)  # unknowns of the swept disc; then offset and turn of each straightedge
        self.usable = np.ones(layout.HALLS, bool)

    # What is recorded

    def lay_straightedge(self) -> int:
        """A straightedge is laid. Returns its number, for `sweep_frame`."""
        self.straightedges += 1
        return self.straightedges - 1

    def sweep_frame(self, straightedge: int, y_hmm: float, mark: int, field: np.ndarray, passes: int) -> Frame | None:
        """A frame with the swept disc somewhere along a straightedge, to add to `frames`; None if no disc is there.

        `mark` is 1 if the mark on the disc points away from the front of the board, -1 if towards it.
        """
        row = np.flatnonzero((np.abs(self.place[:, 1] - y_hmm) < self.layout.LINE_PITCH_HMM / 3) & self.usable)
        strongest = row[np.argmax(np.abs(field[row]))]
        if abs(field[strongest]) < WEAK_UT:
            return None
        fitted = []
        for x in self.place[strongest, 0] + np.array([-400.0, 400.0]):  # either side of the strongest Hall
            frame = self._frame(field, passes, np.array([[x, y_hmm]]), LOOSE)
            frame.straightedge, frame.y_hmm, frame.mark = straightedge, y_hmm, mark
            fitted.append((self._settle(frame, SETTLE_ROUNDS), frame))
        return min(fitted, key=lambda pair: pair[0])[1]

    def add_rest(self, field: np.ndarray, passes: int, places_hmm: Any) -> bool:
        """Discs at rest where the board found them (rows of x, y). False if too few Halls see them."""
        places = np.asarray(places_hmm, float).reshape(-1, 2)
        frame = self._frame(field, passes, places, (MOMENT, self.lean, self.lean, HEIGHT))
        if len(frame.near) < FEWEST * len(places) or not len(places):
            return False
        self.frames.append(frame)
        return True

    def _frame(self, field: np.ndarray, passes: int, places: np.ndarray, magnet: tuple[float, ...]) -> Frame:
        apart = np.hypot(self.place[:, None, 0] - places[:, 0], self.place[:, None, 1] - places[:, 1]).min(axis=1)
        near = np.flatnonzero((apart < NEAR_HMM) & self.usable)
        seen = field[near].astype(float)
        variance = (
            PASS_UT**2 / passes + DRIFT_UT**2 + (SHAPE * seen) ** 2 + (BEND * seen**2 / self.field.values[0, 0]) ** 2
        )
        discs = np.zeros((len(places), PER_DISC))
        discs[:, :2] = places
        discs[:, 2] = np.sign(seen[np.argmax(np.abs(seen))]) if len(places) == 1 and len(seen) else 1.0
        prior_sd = np.array([[1e5, 1e5, *magnet]] * len(places)).ravel()
        return Frame(near, seen, variance, discs, np.append(prior_sd, LEVEL_UT))

    # The fit

    def fit(self, calibration: Any) -> float:
        """Correct the calibration's Halls and its stated errors. Returns the rms of what is left, in microtesla."""
        self.common = np.zeros(SWEPT + 2 * self.straightedges)
        every = self.frames
        swept = [frame for frame in every if frame.straightedge >= 0]
        inverse = np.zeros((0, 0))
        for frames in ([swept] if swept else []) + [every]:  # sweeps first: places of rests need fitted sensors
            self.frames = [frame for frame in frames if self._fits(frame)]
            for _ in range(FIT_ROUNDS):
                inverse = self._round()
                self._update_lean()
            self.frames = [frame for frame in self.frames if self._fits(frame)]
        self._write(calibration)
        return self._state(calibration, inverse)

    def _round(self) -> np.ndarray:
        """One joint step of all unknowns. Returns the covariance of what all frames share."""
        of_disc = [MOMENT, self.lean, self.lean, HEIGHT, ECCENTRIC_HMM]
        of_halls = np.tile([GAIN, PLACE_HMM, PLACE_HMM, DEPTH], len(self.halls))
        prior_sd = np.concatenate([of_halls, of_disc, np.full(2 * self.straightedges, RULER_HMM)])
        shared = np.concatenate([self.halls.ravel(), self.common])
        matrix, right = np.diag(prior_sd**-2), -shared / prior_sd**2
        for frame in self.frames:
            self._eliminate(frame, matrix, right)
        inverse = np.linalg.inv(matrix)
        step = inverse @ right
        shared += step
        self.halls = shared[: self.halls.size].reshape(-1, 4)
        self.common = shared[self.halls.size :]
        for frame in self.frames:
            self._follow(frame, step)
        return inverse

    def _fits(self, frame: Frame) -> bool:
        """Whether the frame's discs explain it. Else something else lay there, or they were found in a wrong place."""
        free = max(1, len(frame.near) - frame.prior_sd.size + 1)
        return self._settle(frame, SETTLE_ROUNDS) / free < (POOR if self.halls.any() else UNKNOWN)

    def _update_lean(self) -> None:
        """Estimate how far magnets lean, from discs at rest and the uncertainty left (expectation maximisation)."""
        squares = []
        for frame in self.frames:
            if frame.straightedge < 0:
                uncertain = frame.eliminated[3][:-1].reshape(-1, PER_DISC)[:, 3:5]
                squares += list((frame.discs[:, 3:5] ** 2 + uncertain).ravel())
        if len(squares) < MANY:
            return
        self.lean = max(LEAST_LEAN, float(np.mean(squares)) ** 0.5)
        for frame in self.frames:
            if frame.straightedge < 0:
                frame.prior_sd[:-1].reshape(-1, PER_DISC)[:, 3:5] = self.lean

    def _eliminate(self, frame: Frame, matrix: np.ndarray, right: np.ndarray) -> None:
        """Add what a frame says about the shared unknowns, with its own ones eliminated."""
        residual, ours, shared, columns = self._equations(frame)
        weight = 1.0 / frame.variance / (1.0 + residual[: len(frame.near)] ** 2 / frame.variance / ROBUST**2)
        weight = np.append(weight, SWEPT_WEIGHTS[: len(residual) - len(weight)])
        weighted = ours * weight[:, None]
        own = weighted.T @ ours + np.diag(frame.prior_sd**-2)
        own_right = weighted.T @ residual + self._prior_pull(frame)
        cross = weighted.T @ shared
        solved = np.linalg.solve(own, np.column_stack([own_right, cross]))
        frame.eliminated = (solved[:, 0], solved[:, 1:], columns, np.diag(np.linalg.inv(own)))
        matrix[np.ix_(columns, columns)] += (shared * weight[:, None]).T @ shared - cross.T @ solved[:, 1:]
        right[columns] += shared.T @ (weight * residual) - cross.T @ solved[:, 0]

    def _follow(self, frame: Frame, step: np.ndarray) -> None:
        own, cross, columns, _ = frame.eliminated
        self._move(frame, own - cross @ step[columns])

    def _settle(self, frame: Frame, rounds: int) -> float:
        """Fit a frame's own unknowns with the sensors as they are known now. Returns chi squared."""
        chi2 = 0.0
        for _ in range(rounds):
            residual, ours, _, _ = self._equations(frame)
            weight = np.append(1.0 / frame.variance, SWEPT_WEIGHTS[: len(residual) - len(frame.near)])
            own = (ours * weight[:, None]).T @ ours + np.diag(frame.prior_sd**-2)
            step = np.linalg.solve(own, ours.T @ (weight * residual) + self._prior_pull(frame))
            self._move(frame, step)
            chi2 = float(weight @ residual**2)
            if np.abs(step[:-1].reshape(-1, PER_DISC)[:, :2]).max() < STILL_HMM:
                break
        return chi2

    def _prior_pull(self, frame: Frame) -> np.ndarray:
        """The pull of the priors. A place has none."""
        values = np.append(frame.discs, frame.level_ut)
        for n in range(len(frame.discs)):
            values[PER_DISC * n : PER_DISC * n + 2] = 0.0
            values[PER_DISC * n + 2] -= np.sign(values[PER_DISC * n + 2])
        return -values / frame.prior_sd**2

    def _move(self, frame: Frame, step: np.ndarray) -> None:
        step = step.copy()
        moves = step[:-1].reshape(-1, PER_DISC)
        moves[:, :2] = np.clip(moves[:, :2], -400, 400)
        frame.discs += moves
        frame.level_ut += step[-1]

    def _equations(self, frame: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(residuals, derivatives by the frame's own unknowns, by the shared ones, columns of the shared ones)."""
        near, count = frame.near, len(frame.near)
        gain, sx, sy, deep = self.halls[near].T
        place = self.place[near]
        ours = np.zeros((count, frame.prior_sd.size))
        shared = np.zeros((count, count, 4))
        each = np.arange(count)
        model = np.full(count, frame.level_ut)
        for n, (x, y, moment, lean_x, lean_y, height) in enumerate(frame.discs):
            wider = np.exp(-WIDER * (deep + height))
            dx, dy = place[:, 0] + sx - x, place[:, 1] + sy - y
            u = dx * dx + dy * dy
            ut, slope, lean = self.field.at(u * wider)
            fainter = (1 + gain) * np.exp(-FAINTER * (deep + height))
            base = ut + lean * (dx * lean_x + dy * lean_y)
            high = fainter * moment
            to_x = high * (2 * slope * wider * dx + lean * lean_x)
            to_y = high * (2 * slope * wider * dy + lean * lean_y)
            model += high * base
            deeper = -high * (FAINTER * base + WIDER * slope * u * wider)
            ours[:, PER_DISC * n : PER_DISC * n + PER_DISC] = np.stack(
                [-to_x, -to_y, fainter * base, high * lean * dx, high * lean * dy, deeper], axis=1
            )
            shared[each, each] += np.stack([high * base / (1 + gain), to_x, to_y, deeper], axis=1)
        ours[:, -1] = 1.0
        residual = frame.seen_ut - model
        columns = (4 * near[:, None] + np.arange(4)).ravel()
        shared = shared.reshape(count, -1)
        if frame.straightedge < 0:
            return residual, ours, shared, columns
        return self._along(frame, residual, ours, shared, columns)

    def _along(self, frame: Frame, residual: Any, ours: Any, shared: Any, columns: Any) -> Any:
        """Adds what is known of a swept disc: where its edge lies, and that its magnet is the same in every frame.

        Its mark points away from the line in every other bed. Else an eccentric magnet would look like a deeper board.
        """
        across = (frame.discs[0, 0] - self.layout.WIDTH_HMM / 2) / (self.layout.WIDTH_HMM / 2)
        at = SWEPT + 2 * frame.straightedge
        moment, lean_x, lean_y, height, eccentric = self.common[:SWEPT]
        offset, turn = self.common[at : at + 2] if len(self.common) > at else (0.0, 0.0)
        _, y, high, x_now, y_now, height_now = frame.discs[0]
        sign = np.sign(high)
        apart = [frame.y_hmm + offset + turn * across + frame.mark * eccentric - y, abs(high) - 1.0 - moment,
                 frame.mark * lean_x - x_now, frame.mark * lean_y - y_now, height - height_now]  # fmt: skip
        rows = np.zeros((len(apart), ours.shape[1]))
        rows[[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]] = 1.0, -sign, 1.0, 1.0, 1.0
        of_disc = np.zeros((len(apart), SWEPT + 2))
        of_disc[0, -3:] = -frame.mark, -1.0, -across
        of_disc[[1, 2, 3, 4], [0, 1, 2, 3]] = 1.0, -frame.mark, -frame.mark, -1.0
        wide = np.zeros((len(residual) + len(apart), shared.shape[1] + SWEPT + 2))
        wide[: len(residual), : shared.shape[1]] = shared
        wide[len(residual) :, shared.shape[1] :] = of_disc
        columns = np.append(columns, self.halls.size + np.array([*range(SWEPT), at, at + 1]))
        return np.append(residual, apart), np.vstack([ours, rows]), wide, columns

    # The result

    def _write(self, calibration: Any) -> None:
        for k, (gain, x, y, deep) in enumerate(self.halls):
            calibration.move(k, x, y, float(np.exp(-WIDER * deep)) - 1.0)
            high = (1 + gain) * np.exp(-FAINTER * deep)
            calibration.scales[2 + 2 * k] = int(self.layout.UT_PER_CODE_Q10 / high + 0.5)

    def _state(self, calibration: Any, covariance: np.ndarray) -> float:
        """State the errors that are left, from the fit's covariance and residuals. Returns their rms in microtesla."""
        squares, spread, count = 0.0, 0.0, 0
        for frame in self.frames:
            residual = self._equations(frame)[0][: len(frame.near)]
            squares += float(np.square(residual).sum())
            spread += float(np.minimum(residual**2 / frame.variance, 16.0).sum())
            count += len(residual) - min(len(residual), frame.prior_sd.size)
        inflate = max(1.0, spread / max(count, 1))
        ut, slope, _ = (float(v[0]) for v in self.field.at(np.array([TYPICAL_HMM2])))
        gain_of = np.array([1.0, -FAINTER - WIDER * slope * TYPICAL_HMM2 / ut])
        gains, places = [], []
        for row in np.arange(self.layout.BED_HALLS).reshape(self.layout.BEDS, -1):
            at = np.concatenate([4 * row, 4 * row + 3])
            to_gain = np.kron(gain_of, np.eye(len(row)))
            gains.append(uneven(to_gain @ covariance[np.ix_(at, at)] @ to_gain.T))
            places += [uneven(covariance[np.ix_(4 * row + n, 4 * row + n)]) for n in (1, 2)]
        self.gain_error = float(np.sqrt(inflate * np.mean(gains)))
        self.place_error_hmm = float(np.sqrt(inflate * np.mean(places)))
        self.inflate = inflate
        return float(np.sqrt(squares / max(count, 1)))


def uneven(covariance: np.ndarray) -> float:
    """Mean variance along a row of Halls, less what is common to them or grows along the row: neither moves a disc."""
    count = len(covariance)
    along = np.stack([np.ones(count), np.linspace(-1, 1, count)])
    along /= np.linalg.norm(along, axis=1)[:, None]
    return float(np.trace(covariance) - np.trace(along @ covariance @ along.T)) / count
