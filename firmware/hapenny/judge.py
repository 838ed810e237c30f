"""Places and line light to verdicts, with margins: bed, line, wide, over, short, stacked, or doubt."""

from array import array
from math import exp

from hapenny.kernels_pick import kernels as chosen
from hapenny.locate import DEGRADED, FOREIGN, MAX_DISCS, SATURATED, STACKED, numbers

LINE = 0  # beds are 1 to 9
SHORT = -1
WIDE = -2
OVER = -3
STACKED_UP = -4
DOUBT = -5

STEPS = 16  # the distance to a line is weighed at this many quarter standard errors to each side
RISK = 120  # of 4096: a verdict whose chance to be wrong is larger is a doubt
SIDE_SIGMAS_X2 = 5  # x decides alone, and has thicker tails
GROOVE = 80
ILL = 64 * 4  # chi squared of a fit that explains too little to be trusted
STRANGE = FOREIGN | SATURATED | DEGRADED
FULL_HMM2 = 5080 * 80


class Judge:
    """Verdicts lie in arrays by the locator's disc numbers, valid until the next call of `judge`."""

    LINE = LINE
    SHORT = SHORT
    WIDE = WIDE
    OVER = OVER
    STACKED = STACKED_UP
    DOUBT = DOUBT

    def __init__(self, layout, calibration, kernels=chosen):
        self.layout = layout
        self.calibration = calibration
        self.kernels = kernels
        self.verdict = numbers(MAX_DISCS)
        self.reading = numbers(MAX_DISCS)  # the likelier verdict, also in doubt
        self.alternative = numbers(MAX_DISCS)  # the other one
        self.margin_hmm = numbers(MAX_DISCS)
        self.se_um = numbers(MAX_DISCS)
        self.y_hmm = numbers(MAX_DISCS)
        self.risk_q12 = numbers(MAX_DISCS)  # chance that the reading is wrong, of 4096
        self.covered = numbers(layout.LIGHTS)  # hmm^2 of each segment
        self.seen = False
        self.likely = array("H", bytes(2 * 256))  # exp(-chi^2 / 2), chi^2 in eighths
        for i in range(256):
            self.likely[i] = int(4096 * exp(-i / 16) + 0.5)

    def judge(self, locator, lit, dark, pairs):
        """Judges every disc of the locator; without light (None) by the Halls alone."""
        self.seen = lit is not None
        if self.seen:
            self._measure(lit, dark, pairs)
        for i in range(locator.count):
            self._one(locator, i)

    def _measure(self, lit, dark, pairs):
        calibration = self.calibration
        for s in range(self.layout.LIGHTS):
            signal = calibration.signal(lit, dark, pairs, s) - calibration.bare[s]
            if signal > 65535:
                signal = 65535
            self.covered[s] = (signal << 12) // calibration.full[s] * 99  # 99 = FULL_HMM2 / 4096

    def _one(self, locator, i):
        layout = self.layout
        y = locator.y_hmm[i]
        self.y_hmm[i] = y
        line = (y - layout.FIRST_LINE_HMM + layout.LINE_PITCH_HMM // 2) // layout.LINE_PITCH_HMM
        line = 0 if line < 0 else (layout.LINES - 1 if line >= layout.LINES else line)
        centre = layout.FIRST_LINE_HMM + line * layout.LINE_PITCH_HMM
        above = 1 if y >= centre else -1
        clear = layout.DISC_RADIUS_HMM + layout.LINE_WIDTH_HMM // 2
        beyond = self._zone(line, above)
        on = self._weigh(locator, i, line, above, clear - (y - centre) * above)
        self._decide(i, LINE if on > 2048 else beyond, beyond if on > 2048 else LINE, on if on < 2048 else 4096 - on)
        far = line + above
        if on < 2048 and 0 <= far < layout.LINES and self.reading[i] > 0:
            self._other_line(locator, i, far, -above, clear)
        self._sides(locator, i)
        if locator.flags[i] & STACKED:
            self._decide(i, STACKED_UP, self.reading[i], 0)
        elif locator.chi2[i] > ILL or locator.flags[i] & STRANGE:  # something else is going on here
            self._decide(i, self.reading[i], self.alternative[i], 2048)

    def _other_line(self, locator, i, line, above, clear):
        """The line on the bed's other side, where the disc's place is that uncertain."""
        layout = self.layout
        centre = layout.FIRST_LINE_HMM + line * layout.LINE_PITCH_HMM
        edge = clear - (locator.y_hmm[i] - centre) * above
        if edge * 10 < -locator.se_y_um[i] * 4:
            return
        risk = self.risk_q12[i]
        margin = self.margin_hmm[i]
        on = self._weigh(locator, i, line, above, edge)
        if self.margin_hmm[i] > margin:
            self.margin_hmm[i] = margin
        if on > 2048:
            self._decide(i, LINE, self.reading[i], 4096 - on)
        else:
            self._decide(i, self.reading[i], LINE, risk + on)

    def _zone(self, line, above):
        """The verdict of a disc clear of a line on its far side (above 1) or near side (-1)."""
        bed = line + 1 if above > 0 else line
        return SHORT if bed < 1 else (OVER if bed > self.layout.BEDS else bed)

    def _decide(self, i, reading, alternative, risk_q12):
        self.reading[i] = reading
        self.alternative[i] = alternative
        self.risk_q12[i] = risk_q12 = risk_q12 if risk_q12 > 0 else 0
        self.verdict[i] = DOUBT if risk_q12 > RISK else reading

    def _sides(self, locator, i):
        """Over a side line: x, by the Halls alone."""
        layout = self.layout
        if self.reading[i] == SHORT or self.reading[i] == OVER:
            return
        clear = layout.SIDE_LINE_HMM + layout.LINE_WIDTH_HMM // 2 + layout.DISC_RADIUS_HMM
        margin = locator.x_hmm[i]
        if margin * 2 > layout.WIDTH_HMM:
            margin = layout.WIDTH_HMM - margin
        margin -= clear
        doubt = locator.se_x_um[i] * SIDE_SIGMAS_X2 // 20
        inside = self.reading[i]
        if margin < self.margin_hmm[i] or margin < 0:
            self.margin_hmm[i] = margin
            self.se_um[i] = locator.se_x_um[i]
        if margin < -doubt:
            self._decide(i, WIDE, inside, 0)
        elif margin < 0:
            self._decide(i, WIDE, inside, 2048)
        elif margin < doubt:
            self._decide(i, inside, WIDE, 2048)

    def _weigh(self, locator, i, line, above, edge):
        """Chance (of 4096) that disc i overlaps a line, whose groove its edge enters by `edge` as the Halls see it.

        Weighs every distance within four standard errors by Halls and light; leaves margin_hmm and se_um.
        """
        se = locator.se_y_um[i] // 10 + 1
        self.margin_hmm[i] = -edge
        self.se_um[i] = locator.se_y_um[i]
        if edge > 5 * se + 40:
            return 4096
        if edge < -5 * se - 40:
            return 0
        seen = self._light(locator, i, line, edge, se) if self.seen else -1
        on = off = mean = 0
        for g in range(-STEPS, STEPS + 1):
            d = g * se // 4
            chi2 = g * g >> 1  # eighths
            if seen >= 0:
                chi2 += self._misfit(edge + d)
            weight = self.likely[chi2] if chi2 < 256 else 0
            mean += weight * d >> 4
            if edge + d > 0:
                on += weight
            else:
                off += weight
        total = on + off
        if total < 64:  # Halls and light contradict each other
            return 2048
        mean = mean * 16 // total
        self.margin_hmm[i] = -edge - mean
        self.y_hmm[i] = locator.y_hmm[i] - mean * above
        return self._spread(edge, se, seen, mean, total, on, i)

    def _spread(self, edge, se, seen, mean, total, on, i):
        """Standard error of what `_weigh` found; returns the chance."""
        square = 0
        for g in range(-STEPS, STEPS + 1):
            d = g * se // 4
            chi2 = g * g >> 1
            if seen >= 0:
                chi2 += self._misfit(edge + d)
            if chi2 < 256:
                apart = (d - mean) * 4
                apart = 8000 if apart > 8000 else (-8000 if apart < -8000 else apart)
                square += (apart * apart >> 6) * self.likely[chi2] >> 4
        self.se_um[i] = self.kernels.root(square * 64 // total * 16 + 100) * 10 // 4
        return on * 64 // (total >> 6) if total > 4096 else on * 4096 // total

    def _misfit(self, edge):
        """Chi squared (eighths) of the light seen, were the disc's edge `edge` inside the groove."""
        area = self.kernels.cover(edge, self.blur)
        error = self.noise + (area * self.calibration.light_error_q10 >> 10)
        vague = self.kernels.cover(edge, self.blur + self.blur // 4 + 1) - area
        error += vague if vague > 0 else -vague
        z = (self.area - area) * 8 // error
        z = 90 if z > 90 else (-90 if z < -90 else z)
        return z * z >> 3

    def _light(self, locator, i, line, edge, se):
        """Gathers what the segments under disc i's edge see: area, its noise, blur; -1 if they cannot say."""
        layout = self.layout
        calibration = self.calibration
        reach = edge + 3 * se
        half = self.kernels.root((2540 - reach) * reach if reach > 0 else 0) + 60
        x = locator.x_hmm[i] - layout.LIGHT_X0_HMM
        first = (x - half) // layout.SEGMENT_HMM
        last = (x + half) // layout.SEGMENT_HMM
        if first < 0 or last >= layout.LIGHTS_PER_LINE:
            return -1
        self.area = 0
        self.noise = calibration.light_noise_hmm2 * (last - first + 1)
        self.blur = 0
        for n in range(first, last + 1):
            s = line * layout.LIGHTS_PER_LINE + n
            if calibration.full[s] < calibration.LEAST_FULL or not calibration.usable[s]:
                return -1
            self.area += self.covered[s]
            self.blur += calibration.blur[s]
        self.blur //= last - first + 1
        for j in range(locator.count):
            if j != i:
                self._less(locator, j, line, first, last)
        return 1

    def _less(self, locator, j, line, first, last):
        """Takes another disc's share out of the area seen."""
        layout = self.layout
        away = locator.y_hmm[j] - layout.FIRST_LINE_HMM - line * layout.LINE_PITCH_HMM
        away = away if away > 0 else -away
        edge = layout.DISC_RADIUS_HMM + layout.LINE_WIDTH_HMM // 2 - away
        sure = locator.se_y_um[j] // 10
        if edge < -3 * sure - 30:
            return
        left = layout.LIGHT_X0_HMM + first * layout.SEGMENT_HMM - locator.x_hmm[j]
        right = layout.LIGHT_X0_HMM + (last + 1) * layout.SEGMENT_HMM - locator.x_hmm[j]
        if left > 1270 or right < -1270:
            return
        half = self.kernels.root((2540 - edge) * edge if edge > 0 else 0)
        low = left if left > -half else -half
        high = right if right < half else half
        area = self.kernels.cover(edge, self.blur) if edge < 500 else GROOVE * 2 * half
        if half and high - low < 2 * half:
            area = area * (high - low if high > low else 0) // (2 * half)
        # its edge's place, or its ends' along the line: whichever may hide a true overlap, twice over
        unsure = 4 * half * sure if edge < 500 else 2 * GROOVE * locator.se_x_um[j] // 10
        self.area -= area
        self.noise += (area * self.calibration.light_error_q10 >> 9) + (unsure if unsure < 65535 else 65535)

    def hand(self, locator, lit, dark, pairs):
        """Is a hand over the board? Several segments away from every disc have lost their light, or shine back."""
        layout = self.layout
        calibration = self.calibration
        odd = 0
        for s in range(layout.LIGHTS):
            if self._near_disc(locator, s):
                continue
            if dark[s] * 16 // pairs * 3 < calibration.dim[s] * 2:
                odd += 1
        return odd >= 2

    def plain(self, locator, lit, dark, pairs):
        """How many segments are covered by something that no disc explains (a coin without a magnet, chalk, beer)."""
        self._measure(lit, dark, pairs)
        odd = 0
        for s in range(self.layout.LIGHTS):
            if self.covered[s] > FULL_HMM2 // 16 and not self._near_disc(locator, s):
                odd += 1
        return odd

    def _near_disc(self, locator, s):
        layout = self.layout
        x = layout.LIGHT_X0_HMM + s % layout.LIGHTS_PER_LINE * layout.SEGMENT_HMM
        y = layout.FIRST_LINE_HMM + s // layout.LIGHTS_PER_LINE * layout.LINE_PITCH_HMM
        for i in range(locator.count):
            slack = 1500 + locator.se_y_um[i] // 4
            if -slack < locator.y_hmm[i] - y < slack and x - slack < locator.x_hmm[i] < x + layout.SEGMENT_HMM + slack:
                return True
        return False
