"""What is known of this board's own sensors: zero, gain and place of every Hall, zero and full of every segment."""

import struct

from hapenny.keeping import records
from hapenny.kernels.pick import kernels as chosen

MID_CODE_Q4 = 32768
STRETCH = 4096
PLACE_LIMIT_HMM = 120
STRETCH_LIMIT = 0.18  # a Hall 1 mm deeper or higher than it should be
QUIET_HALL = 32  # sixteenths of a code: a zero that changed by less is averaged with the one before
QUIET_LIGHT = 400
TARED_NOISE = 40  # variance that a tare leaves a Hall's zero
LEAST_FULL = 400 * 16  # a segment that a disc lights up less is of no use
LEVELS = ("none", "swept", "refined")
VERSION = 2
# "HC", version, level, layout, date (days since 2000), quality: what sweeps left, microtesla; then the stated errors
HEAD = "<2sBBIIHBBBBHH"


class Calibration:
    """Starts with the layout's nominal numbers; the longer it is taught, the smaller the errors it states."""

    def __init__(self, layout, kernels=chosen):
        halls = layout.HALLS
        self.layout = layout
        self.kernels = kernels
        self.table = layout.FIELD_UT
        self.places = kernels.places(3 * halls)  # x, y, stretch of each Hall, as the kernels want them
        self.stretch = kernels.halves(halls)  # of each Hall, less STRETCH: kept here while the Hall is left out
        self.scales = kernels.places(1 + 2 * halls)  # count, then zero (1/16 code) and gain
        self.bare = kernels.words(layout.LIGHTS)  # lit - dark without discs, 1/16 code
        self.dim = kernels.places(layout.LIGHTS)  # dark without discs, 1/16 code
        self.full = kernels.places(layout.LIGHTS)  # what a wholly covered segment adds, 1/16 code
        self.blur = bytearray(layout.LIGHTS)  # of a disc's edge over the aperture, hmm
        self.usable = bytearray(layout.LIGHTS)  # 1: the segment may decide a line
        self.nominal()

    def nominal(self):
        """Forgets all that was learned."""
        layout = self.layout
        self.scales[0] = layout.HALLS
        for k in range(layout.HALLS):
            self.places[3 * k] = layout.HALL_X_HMM[k]
            self.places[3 * k + 1] = layout.HALL_Y_HMM[k]
            self.places[3 * k + 2] = STRETCH
            self.stretch[k] = 0
            self.scales[1 + 2 * k] = MID_CODE_Q4
            self.scales[2 + 2 * k] = layout.UT_PER_CODE_Q10
        for s in range(layout.LIGHTS):
            self.bare[s] = 150 * 16
            self.dim[s] = 230 * 16
            self.full[s] = 2400 * 16
            self.blur[s] = 12
            self.usable[s] = 1
        self.gain_error_q10 = 36
        self.place_error_hmm = 15
        self.tilt_error_q10 = 14
        self.light_error_q10 = 150
        self.light_noise_hmm2 = 1600
        self.magnet_um = 60  # of a disc's magnet off its middle, each way
        self.level = 0
        self.date = 0
        self.quality_ut = 0
        self.noise = 5000  # variance of a Hall's zero, microtesla squared
        self.tared = False
        self.lit = False

    def errors(self):
        """What is stated of the errors left: Halls, magnets, light."""
        return (self.gain_error_q10, self.place_error_hmm, self.tilt_error_q10, self.magnet_um,
                self.light_error_q10, self.light_noise_hmm2)  # fmt: skip

    def encode(self):
        """What was learned, but for the zeros, as bytes: head, Halls, segments, CRC32."""
        layout = self.layout
        head = (b"HC", VERSION, self.level, layout.LAYOUT_CRC, self.date, self.quality_ut) + self.errors()
        data = bytearray(struct.pack(HEAD, *head))
        for k in range(layout.HALLS):
            dx = int(self.places[3 * k]) - layout.HALL_X_HMM[k]
            dy = int(self.places[3 * k + 1]) - layout.HALL_Y_HMM[k]
            data += struct.pack("<bbhH", dx, dy, int(self.stretch[k]), int(self.scales[2 + 2 * k]))
        for s in range(layout.LIGHTS):
            data += struct.pack("<HB", int(self.full[s]), self.blur[s])
        return records.with_crc(bytes(data))

    def decode(self, data):
        """Takes what `encode` wrote; ValueError, and no change, if it is damaged, or of another version or layout."""
        layout = self.layout
        size = struct.calcsize(HEAD)
        whole = size + 6 * layout.HALLS + 3 * layout.LIGHTS + 4
        wrong = ""
        if len(data) < 12 or data[:2] != b"HC":
            wrong = "no calibration"
        elif data[2] != VERSION or data[3] >= len(LEVELS):
            wrong = "the calibration has version %d, this board reads %d" % (data[2], VERSION)
        elif struct.unpack_from("<I", data, 4)[0] != layout.LAYOUT_CRC:
            wrong = "the calibration is for another layout"
        elif len(data) != whole or not records.crc_holds(data):
            wrong = "the calibration is damaged"
        if wrong:
            raise ValueError(wrong + "; sweep the board again with `hapenny calibrate`")
        self._take(data, size)

    def _take(self, data, at):
        layout = self.layout
        head = struct.unpack_from(HEAD, data, 0)
        self.level, self.date, self.quality_ut = head[2], head[4], head[5]
        self.gain_error_q10, self.place_error_hmm, self.tilt_error_q10, self.magnet_um = head[6:10]
        self.light_error_q10, self.light_noise_hmm2 = head[10:]
        for k in range(layout.HALLS):
            dx, dy, stretch, gain = struct.unpack_from("<bbhH", data, at)
            self.places[3 * k] = layout.HALL_X_HMM[k] + dx
            self.places[3 * k + 1] = layout.HALL_Y_HMM[k] + dy
            self.places[3 * k + 2] = STRETCH + stretch
            self.stretch[k] = stretch
            self.scales[2 + 2 * k] = gain
            at += 6
        for s in range(layout.LIGHTS):
            self.full[s], self.blur[s] = struct.unpack_from("<HB", data, at)
            at += 3

    def leave_out(self, k):
        """Hall k is not to be trusted: nothing is fitted to it."""
        self.places[3 * k + 2] = 0

    def take_in(self, k):
        """Hall k is whole again."""
        self.places[3 * k + 2] = STRETCH + self.stretch[k]

    def tare(self, halls, passes):
        """The board is bare: what the Halls read now is their zero. Quiet tares after one another are averaged."""
        for k in range(self.layout.HALLS):
            new = straight(int(halls[k]) * 16 // passes)
            self.scales[1 + 2 * k] = quietly(int(self.scales[1 + 2 * k]), new, QUIET_HALL if self.tared else 0)
        self.noise = TARED_NOISE
        self.tared = True

    def tare_light(self, lit, dark, pairs):
        """The board is bare: what the segments read now is their zero."""
        for s in range(self.layout.LIGHTS):
            off = straight(int(dark[s]) * 16 // pairs)
            quiet = QUIET_LIGHT if self.lit else 0
            self.bare[s] = quietly(int(self.bare[s]), straight(int(lit[s]) * 16 // pairs) - off, quiet)
            self.dim[s] = off
        self.lit = True

    def signal(self, lit, dark, pairs, s):
        """What segment s sees of its emitter, 1/16 code."""
        return straight(int(lit[s]) * 16 // pairs) - straight(int(dark[s]) * 16 // pairs)

    def move(self, k, dx_hmm, dy_hmm, stretch):
        """Hall k lies dx, dy from its nominal place, and its depth stretches squared distances by 1 + stretch."""
        limit = PLACE_LIMIT_HMM
        dx_hmm = max(-limit, min(limit, dx_hmm))
        dy_hmm = max(-limit, min(limit, dy_hmm))
        stretch = max(-STRETCH_LIMIT, min(STRETCH_LIMIT, stretch))
        self.places[3 * k] = int(self.layout.HALL_X_HMM[k] + dx_hmm + 0.5)
        self.places[3 * k + 1] = int(self.layout.HALL_Y_HMM[k] + dy_hmm + 0.5)
        self.stretch[k] = int(STRETCH * (1 + stretch) + 0.5) - STRETCH
        if self.places[3 * k + 2] != 0:
            self.take_in(k)

    def field(self, halls, passes, field):
        """Sums of codes to microtesla, into `field` (16-bit words)."""
        self.kernels.convert(halls, self.scales, field, passes)


def quietly(old, new, limit):
    """A reading that differs from the old by less than limit moves it by a quarter; else the new one."""
    return (3 * old + new + 2) >> 2 if -limit < new - old < limit else new


def straight(code_q4):
    """A code in sixteenths without erratum E11, as kernels.convert does it."""
    away = (code_q4 & 16383) - 8192
    return code_q4 + (72 if away > 72 else (-72 if away < -72 else away)) - (away * 9 >> 10)
