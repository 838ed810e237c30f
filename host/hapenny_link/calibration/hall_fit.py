"""What recorded frames teach about a board's Halls: one joint fit of all sensors, straightedges and discs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

# what is believed before any frame, as standard deviations
GAIN = 0.03  # DRV5055: within 5 %
PLACE_HMM = 20.0
DEEP = 0.03  # a Hall's depth, share of its distance from the magnet
RULER_HMM = 4.0  # a straightedge along a real line, at each end
ECCENTRIC_HMM = 5.0  # the swept disc's magnet off its middle, towards the mark
HEIGHT = 0.006  # of a disc's magnet, share of its distance from the Halls
HAND_HMM = 4.0  # the disc along the straightedge, frame by frame
MOMENT = 0.03
LEAN = 0.015  # of a disc's magnet, radians; of the spin-tested one a third
LEVEL_UT = 15.0
# of one Hall in one frame, microtesla
PASS_UT = 40.0  # one pass
DRIFT_UT = 6.0  # since the tare, with the ADC's own errors
SHAPE = 0.0015  # a share of the field
BEND = 0.004  # ... that grows with it to this under a disc: the table's shape at another depth, a Hall's bend
NEAR_HMM = 4500.0
FEW = 3  # Halls that a disc must be seen by
WEAK_UT = 800.0  # of the strongest Hall under a disc
WOBBLE = 0.004  # of its lean, its mark never pointing quite where it should
EXACT = np.array([HAND_HMM**-2, 1e6, WOBBLE**-2, WOBBLE**-2, 1e7])  # weights of what is known of a swept disc
SWEPT = 5  # unknowns of the swept disc: moment, lean about both axes, height, eccentricity
LOOSE = (1.0,) * 4  # of a swept disc's moment, leans and height in one frame: the common ones bind them
BEYOND = 3.0  # standard deviations from which a residual counts less
SETTLE, ROUNDS = 6, 3
STILL_HMM = 0.3  # a step that ends a frame's own fit
POOR, UNKNOWN = 6.0, 1e9  # chi squared of a frame that is left out, once the sensors are known
MANY, LEAST_LEAN = 60, 0.005  # leans seen before they say what to believe of others
# a deeper Hall sees the field that a nominal one sees further away: fitted to exact cylinders, 7 to 9 mm
FAINTER, WIDER = 2.48, 1.5
TYPICAL_HMM2 = 500.0**2  # squared distance at which errors of gain are stated
PER_DISC = 6  # unknowns: x, y, moment, lean about both axes, height


@dataclass
class Frame:
    """One reading with discs on the board: what the Halls nearby saw, and the unknowns that are fitted to it."""

    near: np.ndarray  # numbers of the Halls
    seen_ut: np.ndarray
    variance: np.ndarray
    discs: np.ndarray  # (discs, PER_DISC): hmm, hmm, against the standard moment, radians, share
    sure: np.ndarray  # believed standard deviations of the unknowns: PER_DISC a disc, then the level
    level_ut: float = 0.0
    edge: int = -1  # number of the straightedge along which the disc lies
    y_hmm: float = 0.0
    mark: int = 0
    back: Any = None  # what the last joint step needs to follow with this frame's own unknowns


class Field:
    """A standard disc's field over squared distance, from the layout's table, and its changes."""

    def __init__(self, layout: Any) -> None:
        table = np.array(layout.FIELD_UT, dtype=np.float64).reshape(-1, 3)
        self.near = layout.FIELD_NEAR_STEPS
        self.step, self.far_step = 1 << layout.FIELD_NEAR_SHIFT, 1 << layout.FIELD_FAR_SHIFT
        steps = np.arange(len(table))
        u = np.where(steps < self.near, steps * self.step, (steps - self.near) * self.far_step + self.near * self.step)
        self.values = np.stack([table[:, 0], np.gradient(table[:, 0], u), table[:, 2] / 1024])

    def at(self, u: np.ndarray) -> np.ndarray:
        """(field, its change with u, its change with a lean of one radian at one hmm) at squared distances u."""
        near = self.near * self.step
        step = np.where(u < near, u / self.step, self.near + (u - near) / self.far_step)
        low = np.minimum(step.astype(int), self.values.shape[1] - 2)
        before = self.values[:, low]
        return before + (self.values[:, low + 1] - before) * (step - low)


class Halls:
    """Takes frames of sweeps (`along`) and rests; `learn` then corrects a calibration and states its errors.

    Unknowns: gain, x, y and depth of every Hall; offset and turn of every straightedge; x, y, moment and lean of every
    disc in every frame, eliminated frame by frame (Schur complement). Gauss-Newton with priors and robust weights.
    """

    def __init__(self, layout: Any) -> None:
        self.layout = layout
        self.field = Field(layout)
        self.frames: list[Frame] = []
        self.edges = 0
        self.lean = LEAN
        self.place = np.stack([np.array(layout.HALL_X_HMM, float), np.array(layout.HALL_Y_HMM, float)], axis=1)
        self.halls = np.zeros((layout.HALLS, 4))  # gain, x, y, deep against nominal
        self.common = np.zeros(SWEPT)  # what is unknown of the swept disc; then offset and turn of each edge
        self.usable = np.ones(layout.HALLS, bool)

    # What is recorded

    def edge(self) -> int:
        """A straightedge is laid: its number, for `along`."""
        self.edges += 1
        return self.edges - 1

    def along(self, edge: int, y_hmm: float, mark: int, field: np.ndarray, passes: int) -> Frame | None:
        """The spin-tested disc somewhere along a straightedge: a frame for `frames`, or None if no disc is there.

        mark: 1 if the mark on the disc points away from the front of the board, -1 if towards it.
        """
        row = np.flatnonzero((np.abs(self.place[:, 1] - y_hmm) < self.layout.LINE_PITCH_HMM / 3) & self.usable)
        best = row[np.argmax(np.abs(field[row]))]
        if abs(field[best]) < WEAK_UT:
            return None
        found = []
        for x in self.place[best, 0] + np.array([-400.0, 400.0]):  # either side of the strongest Hall
            frame = self._frame(field, passes, np.array([[x, y_hmm]]), LOOSE)
            frame.edge, frame.y_hmm, frame.mark = edge, y_hmm, mark
            found.append((self._settle(frame, SETTLE), frame))
        return min(found, key=lambda pair: pair[0])[1]

    def rest(self, field: np.ndarray, passes: int, places_hmm: Any) -> bool:
        """Discs at rest where the board found them (rows of x, y); False if that tells nothing."""
        places = np.asarray(places_hmm, float).reshape(-1, 2)
        frame = self._frame(field, passes, places, (MOMENT, self.lean, self.lean, HEIGHT))
        if len(frame.near) < FEW * len(places) or not len(places):
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
        sure = np.array([[1e5, 1e5, *magnet]] * len(places)).ravel()
        return Frame(near, seen, variance, discs, np.append(sure, LEVEL_UT))

    # The fit

    def learn(self, calibration: Any) -> float:
        """Corrects the calibration's Halls and its stated errors; returns the rms of what is left, in microtesla."""
        self.common = np.zeros(SWEPT + 2 * self.edges)
        every = self.frames
        swept = [frame for frame in every if frame.edge >= 0]
        inverse = np.zeros((0, 0))
        for first in ([swept] if swept else []) + [every]:  # sweeps first: rests were found by worse known sensors
            self.frames = [frame for frame in first if self._fits(frame)]
            for _ in range(ROUNDS):
                inverse = self._round()
                self._learn_lean()
            self.frames = [frame for frame in self.frames if self._fits(frame)]
        self._write(calibration)
        return self._state(calibration, inverse)

    def _round(self) -> np.ndarray:
        """One joint step of everything; returns the covariance of what all frames share."""
        of_disc = [MOMENT, self.lean, self.lean, HEIGHT, ECCENTRIC_HMM]
        of_halls = np.tile([GAIN, PLACE_HMM, PLACE_HMM, DEEP], len(self.halls))
        sure = np.concatenate([of_halls, of_disc, np.full(2 * self.edges, RULER_HMM)])
        shared = np.concatenate([self.halls.ravel(), self.common])
        matrix, right = np.diag(sure**-2), -shared / sure**2
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
        """Is the frame what its discs explain? Else something else lay there, or they were found in a wrong place."""
        free = max(1, len(frame.near) - frame.sure.size + 1)
        return self._settle(frame, SETTLE) / free < (POOR if self.halls.any() else UNKNOWN)

    def _learn_lean(self) -> None:
        """How far magnets lean: what the discs at rest show, and what that leaves open (expectation, maximisation)."""
        squares = []
        for frame in self.frames:
            if frame.edge < 0:
                open_ = frame.back[3][:-1].reshape(-1, PER_DISC)[:, 3:5]
                squares += list((frame.discs[:, 3:5] ** 2 + open_).ravel())
        if len(squares) < MANY:
            return
        self.lean = max(LEAST_LEAN, float(np.mean(squares)) ** 0.5)
        for frame in self.frames:
            if frame.edge < 0:
                frame.sure[:-1].reshape(-1, PER_DISC)[:, 3:5] = self.lean

    def _eliminate(self, frame: Frame, matrix: np.ndarray, right: np.ndarray) -> None:
        """Adds what a frame says about the shared unknowns, its own ones solved for."""
        residual, ours, shared, columns = self._equations(frame)
        weight = 1.0 / frame.variance / (1.0 + residual[: len(frame.near)] ** 2 / frame.variance / BEYOND**2)
        weight = np.append(weight, EXACT[: len(residual) - len(weight)])
        weighted = ours * weight[:, None]
        own = weighted.T @ ours + np.diag(frame.sure**-2)
        own_right = weighted.T @ residual + self._believed(frame)
        cross = weighted.T @ shared
        solved = np.linalg.solve(own, np.column_stack([own_right, cross]))
        frame.back = (solved[:, 0], solved[:, 1:], columns, np.diag(np.linalg.inv(own)))
        matrix[np.ix_(columns, columns)] += (shared * weight[:, None]).T @ shared - cross.T @ solved[:, 1:]
        right[columns] += shared.T @ (weight * residual) - cross.T @ solved[:, 0]

    def _follow(self, frame: Frame, step: np.ndarray) -> None:
        own, cross, columns, _ = frame.back
        self._move(frame, own - cross @ step[columns])

    def _settle(self, frame: Frame, rounds: int) -> float:
        """Fits a frame's own unknowns, the sensors as they are known; returns chi squared."""
        chi2 = 0.0
        for _ in range(rounds):
            residual, ours, _, _ = self._equations(frame)
            weight = np.append(1.0 / frame.variance, EXACT[: len(residual) - len(frame.near)])
            own = (ours * weight[:, None]).T @ ours + np.diag(frame.sure**-2)
            step = np.linalg.solve(own, ours.T @ (weight * residual) + self._believed(frame))
            self._move(frame, step)
            chi2 = float(weight @ residual**2)
            if np.abs(step[:-1].reshape(-1, PER_DISC)[:, :2]).max() < STILL_HMM:
                break
        return chi2

    def _believed(self, frame: Frame) -> np.ndarray:
        """Pull of the priors; a place has none."""
        now = np.append(frame.discs, frame.level_ut)
        for n in range(len(frame.discs)):
            now[PER_DISC * n : PER_DISC * n + 2] = 0.0
            now[PER_DISC * n + 2] -= np.sign(now[PER_DISC * n + 2])
        return -now / frame.sure**2

    def _move(self, frame: Frame, step: np.ndarray) -> None:
        step = step.copy()
        moves = step[:-1].reshape(-1, PER_DISC)
        moves[:, :2] = np.clip(moves[:, :2], -400, 400)
        frame.discs += moves
        frame.level_ut += step[-1]

    def _equations(self, frame: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(residuals, their changes with the frame's own unknowns, with the shared ones, which of those)."""
        near, count = frame.near, len(frame.near)
        gain, sx, sy, deep = self.halls[near].T
        place = self.place[near]
        ours = np.zeros((count, frame.sure.size))
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
        if frame.edge < 0:
            return residual, ours, shared, columns
        return self._along(frame, residual, ours, shared, columns)

    def _along(self, frame: Frame, residual: Any, ours: Any, shared: Any, columns: Any) -> Any:
        """What is known of a swept disc: where its edge is; that its magnet is always the same.

        The mark points away from the line in every other bed: else an eccentric magnet would pass for a deeper board.
        """
        across = (frame.discs[0, 0] - self.layout.WIDTH_HMM / 2) / (self.layout.WIDTH_HMM / 2)
        at = SWEPT + 2 * frame.edge
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

    # What comes of it

    def _write(self, calibration: Any) -> None:
        for k, (gain, x, y, deep) in enumerate(self.halls):
            calibration.move(k, x, y, float(np.exp(-WIDER * deep)) - 1.0)
            high = (1 + gain) * np.exp(-FAINTER * deep)
            calibration.scales[2 + 2 * k] = int(self.layout.UT_PER_CODE_Q10 / high + 0.5)

    def _state(self, calibration: Any, covariance: np.ndarray) -> float:
        """Errors that the calibration has left, from the fit's covariance and its residuals."""
        squares, spread, count = 0.0, 0.0, 0
        for frame in self.frames:
            residual = self._equations(frame)[0][: len(frame.near)]
            squares += float(np.square(residual).sum())
            spread += float(np.minimum(residual**2 / frame.variance, 16.0).sum())
            count += len(residual) - min(len(residual), frame.sure.size)
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
    """Mean variance along a row of Halls, less what is common to them or grows along it: that moves no disc's fit."""
    count = len(covariance)
    along = np.stack([np.ones(count), np.linspace(-1, 1, count)])
    along /= np.linalg.norm(along, axis=1)[:, None]
    return float(np.trace(covariance) - np.trace(along @ covariance @ along.T)) / count
