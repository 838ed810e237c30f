"""Frames: sums of ADC codes over interleaved passes, into buffers made once, and the field they mean."""

from array import array

QUARTERS = 4
QUARTER_PASSES = 16
QUARTER_PAIRS = 4
OFFSET_UT = 1300
RAIL_UT = 24000  # further from mid-rail is no disc, but a dead sensor
COVERED_CODES = 700  # of a light segment, lit less dark: bare 150, covered 2400
VERDICT_PASSES = QUARTERS * QUARTER_PASSES
VERDICT_PAIRS = QUARTERS * QUARTER_PAIRS
FROZEN = 3  # frames in a row in which no Hall has changed at all, noise or not: the converter stands still


class Scan:
    """Reads the sensors through `hardware` and keeps the newest frame.

    `field` is in microteslas, one number a Hall; `halls`, `lit` and `dark` are sums of codes over `passes` and `pairs`.
    `part`, a word a Hall, is used while frames are read; it may be another's as long as that needs it only between.
    """

    def __init__(self, hardware, layout, calibration, health, part=None):
        self.hardware = hardware
        self.calibration = calibration
        self.health = health
        self.halls = array("i", bytes(4 * layout.HALLS))
        self.part = array("i", bytes(4 * layout.HALLS)) if part is None else part
        self.lit = array("i", bytes(4 * layout.LIGHTS))
        self.dark = array("i", bytes(4 * layout.LIGHTS))
        self.lit_part = memoryview(self.part)[: layout.LIGHTS]
        self.dark_part = memoryview(self.part)[layout.LIGHTS : 2 * layout.LIGHTS]
        self.field = array("h", bytes(2 * layout.HALLS))
        self.early = array("h", bytes(2 * layout.HALLS))  # the field of the frame before, or of the first quarter
        self.passes = 0
        self.pairs = 0
        self.alike = 0  # frames in a row that were the same as the one before

    def quick(self, passes):
        """A tracking frame of the Halls; returns how far (microteslas) its field is from the frame before."""
        self.early, self.field = self.field, self.early
        self.hardware.scan_halls(self.halls, passes)
        self.passes = passes
        self.calibration.field(self.halls, passes, self.field)
        return self.apart()

    def apart(self):
        """How far the field is from the early one; notes whether it has changed at all."""
        apart = self.calibration.kernels.change(self.field, self.early, len(self.field))
        self.alike = 0 if apart else self.alike + 1
        if apart >= RAIL_UT:
            self.health.rail(self.field)
        return apart

    def light(self, pairs):
        """A quick look at the line light."""
        self.hardware.scan_light(self.lit, self.dark, pairs)
        self.pairs = pairs

    def verdict(self, limit_ut=65536):
        """The settling window: four quarters, each its Hall passes and its light pairs.

        Returns how far (microteslas) a quarter's field is from the first's, small when the discs lie still; at once,
        and there is no frame, if that is above `limit_ut`.
        """
        kernels = self.calibration.kernels
        add = kernels.add
        kernels.clear(self.halls, len(self.halls))
        kernels.clear(self.lit, len(self.lit))
        kernels.clear(self.dark, len(self.dark))
        for quarter in range(QUARTERS):
            self.hardware.scan_halls(self.part, QUARTER_PASSES)
            add(self.halls, self.part, len(self.part))
            self.calibration.field(self.part, QUARTER_PASSES, self.field if quarter else self.early)
            self.hardware.scan_light(self.lit_part, self.dark_part, QUARTER_PAIRS)
            add(self.lit, self.lit_part, len(self.lit))
            add(self.dark, self.dark_part, len(self.dark))
            if quarter:
                apart = kernels.change(self.field, self.early, len(self.field))
                if apart > limit_ut:
                    return apart
        apart = self.apart()
        if apart:
            self.health.hang(self.field, self.early)
        self.passes = VERDICT_PASSES
        self.pairs = VERDICT_PAIRS
        self.calibration.field(self.halls, VERDICT_PASSES, self.field)
        return apart

    def looks_bare(self):
        """After `verdict` on sensors whose zeros are not known: whether no disc seems to lie there.

        A Hall's own zero is off by at most 60 mV (990 microteslas, DRV5055); a disc reads up to fifteen times as much,
        and where it lies between the Halls it covers a line.
        """
        for k in range(len(self.field)):
            if OFFSET_UT < abs(self.field[k]) < RAIL_UT and self.calibration.places[3 * k + 2]:
                return False
        for k in range(len(self.lit)):
            if self.lit[k] - self.dark[k] > COVERED_CODES * self.pairs:
                return False
        return True
