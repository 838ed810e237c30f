"""The loop and the only wiring: scan, locate, track, rules, pegs, link, once round and again."""

import binascii

from hapenny import layout as standard
from hapenny.finding.judge import Judge
from hapenny.finding.locate import Locator
from hapenny.finding.tracker import HAND, MOVING, SETTLED, Tracker
from hapenny.finding.tracks import since
from hapenny.keeping.journal import Journal, make_folder
from hapenny.keeping.slots import Store
from hapenny.kernels.pick import kernels as chosen
from hapenny.link.link import Link
from hapenny.pegs import Pegs
from hapenny.rules import events, geometry
from hapenny.rules.game import Game
from hapenny.scorer import NO_QUESTION, Scorer
from hapenny.sensing.calibrating import CalibrationSession
from hapenny.sensing.calibration import Calibration
from hapenny.sensing.health import Health
from hapenny.sensing.scan import FROZEN, VERDICT_PAIRS, VERDICT_PASSES, Scan
from hapenny.sensing.zero import Zero
from hapenny.version import VERSION

PEGS_EVERY_MS = 100
POSITIONS_EVERY_MS = 45
IDLE_MS = 3
BARE_LOOKS = 8  # the hand that takes the last disc off has gone by then
NOT_BARE = "not_bare"  # the sensors have no zero yet: take every disc off


def start(hardware, layout=standard, folder="", kernels=chosen):
    """The application, ready: call its `loop` for ever, and `rest` when it must stop."""
    app = App(hardware, layout, folder, kernels)
    app.resume()
    return app


class App:
    """One board. `hardware` as in sim's device/unix_main.py and rp2040/board.py; `folder` is where flash files go."""

    def __init__(self, hardware, layout, folder, kernels):
        self.hardware = hardware
        self.layout = layout
        if folder:
            make_folder(folder)
        self.calibration = Calibration(layout, kernels)
        self.health = Health(layout, self.calibration)
        self.locator = Locator(layout, self.calibration, kernels)
        self.scan = Scan(hardware, layout, self.calibration, self.health, self.locator.rest)
        self.judge = Judge(layout, self.calibration, kernels)
        self.tracker = Tracker(self.scan, self.locator, self.judge)
        self.pegs = Pegs(layout)
        files = folder + "/" if folder else ""
        self.journal = Journal(files + "journal")
        self.calibrated = Store(files + "calibration")
        self.zero = Zero(Store(files + "zero"), layout, self.calibration)
        self.scorer = Scorer(Game(), self.journal, self.tracker, self.judge, hardware)
        identity = {"fw": VERSION, "board": hardware.board_id, "lay": "%08x" % layout.LAYOUT_CRC, "cal": "0"}
        commands = {"event": self.event, "answer": self.answer, "by": self.set_by, "next": self.next, "tare": self.tare}
        commands["service"] = self.service
        self.calibrating = session = CalibrationSession(self)
        commands["guide"] = session.guide
        commands["frame"] = session.frame
        commands["piece"] = session.piece
        commands["keep"] = session.keep
        commands["health"] = session.report
        self.link = Link(hardware, self.journal, identity, commands)
        self.fault = ""
        self.bare = 0  # how many looks have found the board bare, one after another
        self.held = 0  # buttons of the last tick
        self.pegs_ms = self.positions_ms = 0
        self.first = True  # the next picture is the first since power came

    def resume(self):
        """Power has come: the match that was being played goes on."""
        now_ms = self.hardware.ticks_ms()
        self.scorer.resume()
        self.load_calibration()
        if not self.zero.load():
            self.find_zero()
        if self.journal.trouble:
            self.link.log("warn", self.journal.trouble)
        self.tracker.begin(now_ms)

    def loop(self):
        """Once round."""
        now_ms = self.hardware.ticks_ms()
        if self.calibrating.active:
            self.calibrate(now_ms)
            return
        if self.fault == NOT_BARE:
            self.find_zero()
            if not self.fault:
                self.tracker.begin(now_ms)
        seen = HAND if self.fault == NOT_BARE else self.tracker.tick(now_ms)
        if seen == SETTLED:
            self.settled()
        elif seen == MOVING:
            self.show_positions(now_ms)
        self.press(self.hardware.buttons())
        self.report(seen)
        self.link.poll(now_ms)
        if self.scorer.changed or since(now_ms, self.pegs_ms) > PEGS_EVERY_MS:
            self.pegs_ms = now_ms
            self.scorer.changed = False
            self.pegs.render(self.scorer, now_ms, self.scan.alike >= FROZEN or self.fault != "")
            self.hardware.show(self.pegs.pixels)
        self.hardware.feed_watchdog()
        if seen != MOVING:
            self.hardware.idle(IDLE_MS)

    def calibrate(self, now_ms):
        """Once round while a host calibrates."""
        self.link.poll(now_ms)
        if not self.link.present:
            self.calibrating.end()
        elif since(now_ms, self.pegs_ms) > PEGS_EVERY_MS:
            self.pegs_ms = now_ms
            self.calibrating.show(now_ms)
        self.hardware.feed_watchdog()
        self.hardware.idle(IDLE_MS)

    def begin_again(self):
        """Looks at the board as if power had come."""
        self.first = True
        self.tracker.begin(self.hardware.ticks_ms())

    def rest(self):
        """Leaves the pegs safe: dark. Never raises."""
        try:
            for k in range(len(self.pegs.pixels)):
                self.pegs.pixels[k] = 0
            self.hardware.show(self.pegs.pixels)
        except Exception:  # noqa: BLE001 - the last thing that is done must not fail
            pass

    def load_calibration(self):
        """What sweeps have taught, from flash. A calibration that is not for this board is said so, and not used."""
        data = self.calibrated.load() or b""
        if not data and not self.calibrated.trouble:
            return
        try:
            self.calibration.decode(data)
            self.link.identity["cal"] = "%08x" % (binascii.crc32(data) & 0xFFFFFFFF)
        except ValueError as reason:
            self.link.log("warn", str(reason))

    def find_zero(self):
        """Takes the zero of sensors that have none yet; until the board looks bare, the fault says what to do."""
        self.bare = self.bare + 1 if self.scan.verdict() and self.scan.looks_bare() else 0
        if self.bare > (BARE_LOOKS if self.fault else 0):
            self.take_zero()
            self.fault = ""
        else:
            self.fault = NOT_BARE

    def take_zero(self):
        """The board is bare: the frame just taken is the zero, and shows which sensors are whole."""
        scan = self.scan
        self.health.look(scan.halls, VERDICT_PASSES, scan.lit, scan.dark, VERDICT_PAIRS)
        self.calibration.tare(self.scan.halls, VERDICT_PASSES)
        self.calibration.tare_light(self.scan.lit, self.scan.dark, VERDICT_PAIRS)
        self.zero.save()

    def settled(self):
        """A new picture: to the game, and a fresh zero when the board is bare."""
        tracker = self.tracker
        if self.link.wants_frames:
            self.calibrating.send()
        if self.health.moved(self.locator.level_ut):  # the table was moved, or steel is near: nothing of this counts
            self.fault = NOT_BARE
            self.first = self.scorer.changed = True
            return
        if self.first:
            self.first = False
            self.scorer.relate()
            if self.scorer.game.state.discs and tracker.count == 0:
                self.scorer.do(events.clear())
        else:
            last = self.journal.last_seq
            self.scorer.settled()
            if self.journal.last_seq > last:
                self.link.evidence(self.journal.last_seq, self.measured())
        if self.locator.count == 0:  # nor does one wait to be shoved: no disc is part of the zero
            self.take_zero()
            tracker.rebase()
            self.journal.tidy()
        self.scorer.changed = True

    # Buttons and commands

    def press(self, held):
        """Yes, no, next: each press counts once."""
        fresh = held & ~self.held
        self.held = held
        if fresh & 1:
            self.scorer.answer(True)
        elif fresh & 2:
            self.scorer.answer(False)
        elif fresh & 4:
            self.scorer.next()

    def event(self, data):
        try:
            event = events.decode(data)
        except ValueError:
            return "bad_event"
        return self.scorer.propose(event)

    def answer(self, data):
        return self.scorer.answer(data[0] if data else 0)

    def next(self, data):
        return self.scorer.next()

    def set_by(self, data):
        """The host says who shoves next."""
        self.scorer.by = data[0] if data else -1
        return ""

    def service(self, data):
        """Restarts into service mode: a prompt, and nothing else running. Every event is on flash already."""
        self.rest()
        self.hardware.service()
        return ""

    def tare(self, data):
        """A person says the board is bare."""
        if self.tracker.active or not self.scan.verdict():
            return "not_allowed"
        self.take_zero()
        self.fault = ""
        self.tracker.begin(self.hardware.ticks_ms())
        return ""

    # What the host sees

    def report(self, seen):
        """The picture for the host; the link sends it only when it differs."""
        if self.scan.alike >= FROZEN:
            state = "frozen"
        elif seen == MOVING:
            state = "moving"
        elif seen == HAND:
            state = "hand"
        elif self.scorer.question != NO_QUESTION:
            state = "asking"
        else:
            state = "rest"
        if self.link.picture is None or self.link.picture[0] != state or self.scorer.changed:
            discs = self.link.picture[2] if seen == MOVING and self.link.picture else self.seen()
            self.link.status(state, self.fault or self.health.text(), discs)

    def seen(self):
        """What lies on the board: (x, y, verdict, margin, standard error, flags), hundredths of a millimetre."""
        tracker, judge = self.tracker, self.judge
        found = []
        for i in range(tracker.count):
            k = tracker.found[i]
            se = min(judge.se_um[k] // 10, 32767)
            verdict = str(geometry.VERDICTS[judge.verdict[k]])
            found.append((tracker.x[i], tracker.y[i], verdict, judge.margin_hmm[k], se, self.locator.flags[k]))
        return found

    def measured(self):
        """The same with chi squared: what an event stands on."""
        chi2, found = self.locator.chi2, self.tracker.found
        return [(s[0], s[1], s[2], s[3], s[4], chi2[found[i]], s[5]) for i, s in enumerate(self.seen())]

    def show_positions(self, now_ms):
        if self.link.wants_positions and since(now_ms, self.positions_ms) > POSITIONS_EVERY_MS:
            self.positions_ms = now_ms
            flat = []
            for i in range(self.locator.count):
                flat.append(self.locator.x_hmm[i])
                flat.append(self.locator.y_hmm[i])
            self.link.positions(now_ms, flat)
