"""A calibration by the host: readings of every channel go out, a calibration comes in and is kept."""

from hapenny.finding.tracks import WHOLE
from hapenny.pegs import FULL, WHITE
from hapenny.sensing.scan import VERDICT_PAIRS, VERDICT_PASSES

BLINK = 512  # milliseconds, as a bit of the clock
LONGEST = 4000  # bytes of a calibration: no layout's is longer


class CalibrationSession:
    """The host's commands. While `active`, nothing is tracked or scored, and the pegs show what the host lights."""

    def __init__(self, app):
        self.app = app
        self.active = False
        self.first = self.lit = self.progress = 0
        self.blob = bytearray()
        self.frames = 0

    def guide(self, data):
        """[first pixel, how many] blink on each strip, [progress] status ones are lit; b"" ends the session."""
        if len(data) < 3:
            self.end()
        else:
            self.first, self.lit, self.progress = data[0], data[1], data[2]
            self.active = True
        return ""

    def end(self):
        if self.active:
            self.active = False
            self.app.begin_again()

    def show(self, now_ms):
        """Shows what the host lights."""
        pegs, layout = self.app.pegs, self.app.layout
        pegs.pixels[WHOLE] = pegs.dark
        status = layout.BEDS * layout.PEGS_PER_BED
        for strip in range(0, layout.PIXELS, layout.STRIP_PIXELS):
            if now_ms & BLINK:
                pegs.fill(strip + self.first, min(self.lit, layout.STRIP_PIXELS - self.first), WHITE)
            pegs.fill(strip + status, min(self.progress, layout.STRIP_PIXELS - status), FULL)
        pegs.cap()
        self.app.hardware.show(pegs.pixels)

    def frame(self, data):
        """[passes, pairs]: reads every channel and sends it."""
        scan = self.app.scan
        passes, pairs = data[0] or 1, data[1] or 1
        scan.hardware.scan_halls(scan.halls, passes)
        scan.hardware.scan_light(scan.lit, scan.dark, pairs)
        self.send(passes, pairs)
        return ""

    def send(self, passes=VERDICT_PASSES, pairs=VERDICT_PAIRS):
        """The newest frame to the host, in sixteenths of a code."""
        scan = self.app.scan
        out = bytearray()
        for sums, count in ((scan.halls, passes), (scan.lit, pairs), (scan.dark, pairs)):
            for value in sums:
                value = value * 16 // count
                out.append(value & 255)
                out.append(value >> 8)
        self.frames += 1
        self.app.link.frame(self.frames, passes, bytes(out))

    def piece(self, data):
        """[offset, two bytes] and the bytes of a calibration from there; in order, doubles do no harm."""
        at = data[0] | data[1] << 8
        if at == 0:
            self.blob = bytearray()
        if not at <= len(self.blob) < LONGEST:
            return "order"
        if at == len(self.blob):
            self.blob += data[2:]
        return ""

    def keep(self, data):
        """All pieces are here: checks them, keeps them on flash, and uses them from now on."""
        blob, self.blob = bytes(self.blob), bytearray()
        try:
            self.app.calibration.decode(blob)
        except ValueError as reason:
            self.app.link.log("error", str(reason))
            return "refused"
        try:
            self.app.calibrated.save(blob)
        except OSError:
            self.app.load_calibration()
            return "not_saved"
        self.app.load_calibration()
        return ""

    def report(self, data):
        """What the board knows of its calibration and its sensors, as lines of the log."""
        link, calibration = self.app.link, self.app.calibration
        known = (calibration.level, calibration.date, calibration.place_error_hmm)
        link.log("info", "calibration %d %d %d" % known)  # the host's report.py has the words
        for faulty in self.app.health.report()[:7]:
            link.log("warn", "%s: %s" % faulty)
        return ""
