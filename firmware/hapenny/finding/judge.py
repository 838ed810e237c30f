"""Places and line light to verdicts of the rules, with margins and the chance to be wrong."""

from hapenny.finding.locate import DEGRADED, FOREIGN, MAX_DISCS, POOR, SATURATED, STACKED, numbers
from hapenny.kernels import words as K
from hapenny.kernels.pick import kernels as chosen
from hapenny.rules import geometry
from hapenny.sensing.calibration import LEAST_FULL

RISK = 40  # of 4096: a reading whose chance to be wrong is larger is a doubt; then 1 in 10,000 given is wrong
CERTAIN = 4096
COIN = 2048
ILL = 64 * 4  # chi squared of a fit beside another disc that may be misplaced; alone, its standard errors hold
STRANGE = STACKED | FOREIGN | SATURATED | DEGRADED | POOR
OUTSIDE = 550  # hmm: a disc so far over a side line lies past the outer Halls
REACH = 5  # standard errors within which a line matters
VAGUE_UM = 400  # an x less well known has thick tails, as has that of a disc close to another: no Halls lie further out
LEAST_UM = 25  # no edge is better known, and one inside a groove to 5 % of how far: light is weighed in such steps
SHINES = 4  # standard errors (and bits, squared 16) of light that are no chance
TOUCH = 20  # hmm: an edge so far over a groove's rim is told by its own segment, whatever lies over the next
UNCLEAR = 4096  # what is left of all weights when Halls and light contradict each other
DARK = 3  # a segment that has lost a third of its ambient light lies under a hand
FULL_4HMM2 = 5080 * 80 // 4


class Judge:
    """Verdicts lie in arrays by the locator's disc numbers, valid until the next call of `judge`."""

    def __init__(self, layout, calibration, kernels=chosen):
        self.layout = layout
        self.calibration = calibration
        self.kernels = kernels
        self.verdict = numbers(MAX_DISCS)
        self.reading = numbers(MAX_DISCS)  # the likeliest verdict, also in doubt
        self.best = numbers(MAX_DISCS)  # in doubt: a bed, or short, if it may be that; else its reading
        self.risk_q12 = numbers(MAX_DISCS)  # chance that the reading is wrong, of 4096
        self.margin_hmm = numbers(MAX_DISCS)  # to the nearest limit; negative: over it
        self.se_um = numbers(MAX_DISCS)
        self.y_hmm = numbers(MAX_DISCS)
        self.state = kernels.words(K.JUDGING)
        self.curves = curves(layout, kernels)
        self.clear = layout.DISC_RADIUS_HMM + layout.LINE_WIDTH_HMM // 2

    def judge(self, locator, lit, dark, pairs):
        """Judges every disc of the locator; without light (None) by the Halls alone."""
        self.locator = locator
        self.lit = lit
        self.dark = dark
        self.pairs = pairs
        for i in range(locator.count):
            self._one(i)

    def _one(self, i):
        layout = self.layout
        locator = self.locator
        y = locator.y_hmm[i]
        pitch = layout.LINE_PITCH_HMM
        line = (y - layout.FIRST_LINE_HMM + pitch // 2) // pitch
        line = 0 if line < 0 else (layout.LINES - 1 if line >= layout.LINES else line)
        away = y - layout.FIRST_LINE_HMM - line * pitch
        above = 1 if away >= 0 else -1
        beyond = line + 1 if above > 0 else line
        inside = 0 < beyond <= layout.BEDS
        self.y_hmm[i] = y
        self.margin_hmm[i] = pitch
        on = self._line(i, line, above, self.clear - away * above)
        if inside:
            on += self._line(i, line + above, -above, self.clear - pitch + away * above)
            on = self._twin(i, line + above, above, min(on, CERTAIN))
        else:
            beyond = geometry.SHORT if above < 0 else geometry.OVER
        self._decide(i, beyond, on, self._side(i, CERTAIN if inside else on))
        if locator.flags[i] & STACKED and max(locator.se_x_um[i], locator.se_y_um[i]) < VAGUE_UM:
            self.verdict[i] = self.reading[i] = geometry.STACKED
            self.risk_q12[i] = 0
        elif locator.flags[i] & STRANGE or locator.chi2[i] > ILL and locator.close(i):
            self.verdict[i] = geometry.DOUBTED
            self.best[i] = geometry.bed_of(y) or geometry.LINE
            self.risk_q12[i] = COIN

    def _twin(self, i, line, above, on):
        """Chance that disc i overlaps a line: `on` here, or another beyond its row, nearer to the bed's other line.

        Light on that line which no disc explains speaks for it, however sure the Halls are.
        """
        locator = self.locator
        state = self.state
        likely = locator.twin_q12[i]
        if locator.twin_y[i] == locator.y_hmm[i]:
            return on
        away = (locator.twin_y[i] - self.layout.FIRST_LINE_HMM - line * self.layout.LINE_PITCH_HMM) * above
        other = self._overlaps(i, line, self.clear + away, locator.se_y_um[i])
        seen = int(state[K.SEEN]) >> SHINES
        if state[K.NOISE2] and seen > 0 and seen * seen > state[K.NOISE2] >> SHINES:
            likely += COIN >> 1
        self.se_um[i] = locator.widened(self.se_um[i], self._astray(i))
        return (CERTAIN - likely) * on + likely * other >> 12

    def _astray(self, i):
        """Standard error (um) of the y of disc i that its mirror image makes."""
        locator = self.locator
        likely = locator.twin_q12[i]
        return self.kernels.root(likely * (CERTAIN - likely)) * abs(locator.twin_y[i] - locator.y_hmm[i]) // 410

    def _decide(self, i, beyond, on, wide):
        """The likeliest of: beyond the line, on it, and over a side line, which goes before.

        Past the outer Halls a disc near another may as well be its mirror image about them: on its line neither scores.
        """
        if on > CERTAIN - RISK and self.margin_hmm[i] < -OUTSIDE and not self.locator.alone(i):
            wide >>= 1
        on = (CERTAIN - wide) * on >> 12
        chance = CERTAIN - wide - on
        reading = beyond
        if on > chance:
            chance = on
            reading = geometry.LINE
        if wide > chance:
            chance = wide
            reading = geometry.WIDE
        self.reading[i] = reading
        self.best[i] = beyond if CERTAIN - wide - on > RISK and beyond != geometry.OVER else reading
        self.risk_q12[i] = CERTAIN - chance
        self.verdict[i] = geometry.DOUBTED if CERTAIN - chance > RISK else reading

    def _side(self, i, within):
        """Chance (of 4096) that disc i is wide: x, by the Halls alone; `within`: that its y lets it be."""
        layout = self.layout
        x = self.locator.x_hmm[i]
        if x * 2 > layout.WIDTH_HMM:
            x = layout.WIDTH_HMM - x
        edge = layout.SIDE_LINE_HMM + self.clear - x
        self.state[K.NOISE2] = 0
        se_um = self.locator.se_x_um[i]
        tail_um = se_um
        if se_um > VAGUE_UM or self.locator.close(i):
            tail_um = max(2 * se_um, min(se_um, 6000) * se_um // VAGUE_UM)
        wide = within * self._chance(edge, tail_um) >> 12
        if within and (edge > 0 or -edge < abs(self.margin_hmm[i])):
            self.margin_hmm[i] = -edge
            self.se_um[i] = se_um
        return wide

    def _chance(self, edge, se_um):
        """Chance (of 4096) that an edge which the Halls see at `edge` is past a line; the light is in the state."""
        state = self.state
        se = se_um // 10
        se = 8 if se < 8 else se
        state[K.TOTAL] = 0
        if edge > REACH * se + 40:
            return CERTAIN
        if edge < -REACH * se - 40:
            return 0
        state[K.EDGE] = edge
        state[K.SPREAD] = se
        self.kernels.astride(state, self.curves)
        total = state[K.TOTAL]
        if total < UNCLEAR:
            return COIN
        return min(int(state[K.ON] * 64 // (total >> 6)), CERTAIN)

    def _line(self, i, line, above, edge):
        """Chance (of 4096) that disc i overlaps a line, into whose groove the Halls see its edge reach by `edge`."""
        state = self.state
        se_um = self.locator.se_y_um[i]
        nearest = -edge < abs(self.margin_hmm[i])
        if nearest:
            self.margin_hmm[i] = -edge
            self.se_um[i] = se_um
        chance = self._overlaps(i, line, edge, se_um)
        part = state[K.TOTAL] >> 6
        if nearest and part >= UNCLEAR >> 6:
            mean = state[K.MEAN] // part  # 512 = a standard error
            square = state[K.SQUARE] // (part << 3) - mean * mean // 512
            spread = int(se_um // 10 * self.kernels.root((square if square > 0 else 0) << 9)) // 51
            mean = int(se_um // 10 * mean) >> 9
            least = LEAST_UM + (edge + mean if edge + mean > 0 else 0) // 2
            self.se_um[i] = least if spread < least else spread
            self.margin_hmm[i] = -edge - mean
            self.y_hmm[i] = self.locator.y_hmm[i] - mean * above
        return chance

    def _overlaps(self, i, line, edge, se_um):
        """The same by Halls and light alone, nothing noted."""
        self.state[K.NOISE2] = 0
        reach = se_um // 10 * REACH + 50
        if self.lit is not None and -reach < edge < reach:
            self._light(i, line, edge)
        return self._chance(edge, se_um)

    # Light

    def _seen(self, s):
        """Area (4 hmm^2) that discs cover of segment s."""
        calibration = self.calibration
        signal = calibration.signal(self.lit, self.dark, self.pairs, s) - calibration.bare[s]
        full = int(calibration.full[s])
        most = 2 * full
        return int((max(-most, min(signal, most)) << 12) // full * FULL_4HMM2) >> 12

    def _sound(self, s):
        """Can segment s be believed?"""
        return self.calibration.usable[s] and self.calibration.full[s] >= LEAST_FULL

    def _light(self, i, line, edge):
        """What the segments under the chord that disc i's edge cuts see of it, into the state."""
        layout = self.layout
        calibration = self.calibration
        state = self.state
        half = self._half(TOUCH if edge < TOUCH else edge) + 30
        x = self.locator.x_hmm[i] - layout.LIGHT_X0_HMM
        first = max(0, (x - half) // layout.SEGMENT_HMM)
        last = min(layout.LIGHTS_PER_LINE - 1, (x + half) // layout.SEGMENT_HMM)
        if first > last:
            return
        seen = blur = 0
        for n in range(first, last + 1):
            s = line * layout.LIGHTS_PER_LINE + n
            if not self._sound(s):
                return
            seen += self._seen(s)
            blur += calibration.blur[s]
        state[K.SEEN] = seen
        state[K.BLUR] = blur = blur // (last - first + 1)
        state[K.SHARE] = calibration.light_error_q10
        noise = calibration.light_noise_hmm2 >> 2
        vague = self.kernels.cover(self.curves, 0, blur) >> 2  # what an edge's blur may hide
        state[K.NOISE2] = noise * noise * (last - first + 1) + vague * vague
        for j in range(self.locator.count):
            if j != i:
                self._less(j, line, first, last)

    def _half(self, inside):
        """Half the chord that a disc's edge cuts `inside` of it."""
        radius = self.layout.DISC_RADIUS_HMM
        inside = 0 if inside < 0 else (radius if inside > radius else inside)
        return self.kernels.root((2 * radius - inside) * inside)

    def _less(self, j, line, first, last):
        """Takes disc j's share out of the area seen, and adds its doubt."""
        layout = self.layout
        locator = self.locator
        state = self.state
        edge = self.clear - abs(locator.y_hmm[j] - layout.FIRST_LINE_HMM - line * layout.LINE_PITCH_HMM)
        sure = locator.widened(locator.se_y_um[j], self._astray(j)) // 10
        if edge < -3 * sure - 30:
            return
        half = self._half(edge) + 20
        left = layout.LIGHT_X0_HMM + first * layout.SEGMENT_HMM - locator.x_hmm[j]
        right = left + (last - first + 1) * layout.SEGMENT_HMM
        left = -half if left < -half else left
        right = half if right > half else right
        if left >= right:  # by as much as x is unsure, an end of its chord may lie in the light all the same
            if left - right < 3 * locator.se_x_um[j] // 10:
                self._unsure(locator.se_x_um[j] * 2)
            return
        area = self.kernels.cover(self.curves, edge, state[K.BLUR])
        rise = self.kernels.cover(self.curves, edge + 3 * sure, state[K.BLUR]) - area  # steeper than straight
        part = (right - left << 7) // half  # of 256
        area = int(area) * part >> 8
        state[K.SEEN] -= area
        self._unsure(area * state[K.SHARE] >> 10)
        self._unsure(int(rise) * part >> 9)
        if part < 256:
            self._unsure(locator.se_x_um[j] * 2)

    def _unsure(self, error):
        """Adds an error of the area seen, independent of the others."""
        error = 8000 if error > 8000 else error
        self.state[K.NOISE2] += error * error

    def hand(self, locator, lit, dark, pairs):
        """Is a hand over the board? Several segments away from every disc have lost their light, or shine back."""
        calibration = self.calibration
        odd = 0
        for s in range(self.layout.LIGHTS):
            if dark[s] * 16 // pairs * DARK >> 1 < calibration.dim[s] and not self._near_disc(locator, s):
                odd += 1
        return odd >= 2

    def plain(self, locator, lit, dark, pairs):
        """How many segments are covered by something that no disc explains (a coin without a magnet, chalk, beer)."""
        self.lit = lit
        self.dark = dark
        self.pairs = pairs
        odd = 0
        for s in range(self.layout.LIGHTS):
            if self._sound(s) and self._seen(s) > FULL_4HMM2 // 16 and not self._near_disc(locator, s):
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


def curves(layout, kernels):
    """The curves that the kernels of light want."""
    made = kernels.places(K.CURVES)
    likely = 16384
    for k in range(K.SURE):
        made[k] = (likely + 2) >> 2
        likely = (likely * 30783 + 16384) >> 15  # by an eighth of chi squared
    area = 0
    for k in range(K.BANDS):
        for rim in (4 * k + 2, 4 * k + 2 - layout.LINE_WIDTH_HMM):  # a strip of 4 hmm comes in, one goes out
            if rim > 0:
                strip = int(kernels.root((layout.DISC_DIAMETER_HMM - rim) * rim * 4))
                area += strip if rim > 4 * k else -strip
        made[K.SURE + k + 1] = area
    return made
