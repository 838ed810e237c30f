"""A board for tests of the host: real link and rules, over a table that only knows where discs lie."""

import socket
import threading
import time

from hapenny.link.link import Link
from hapenny.rules import events, geometry
from hapenny.rules.game import ASK_DECIDE, ASK_RETAKE, Game
from hapenny_link.board import Board
from hapenny_link.errors import LinkDown, UserError
from link.wire import FakeJournal

IDENTITY = {"fw": "0.1.0", "board": "E6605838834F2A2B", "lay": "01234567", "cal": "89abcdef"}
DOUBT_HMM = 30


class FakeTable:
    """Discs go where the test says: (x_mm, y_mm) or, by `shove`, as far as the speed carries."""

    def __init__(self):
        self.lying = []
        self.slide_s = self.warm_s = 0.0
        self.until_s = 0.0
        self.lamps = [(0, 0, 0)] * 64
        self.pressed = []

    def discs(self):
        if not self.moving():
            return [tuple(disc) for disc in self.lying]
        x, y = self.lying[-1]
        left = (self.until_s - time.monotonic()) / self.slide_s
        return [tuple(disc) for disc in self.lying[:-1]] + [(x, y - (y - 6) * left * left)]

    def moving(self):
        return time.monotonic() < self.until_s

    def in_hand(self):
        return 5 - len(self.lying)

    def shove(self, x_mm, speed_m_s, angle_rad=0.0, spin_rad_s=0.0):
        if self.moving():
            raise UserError("wait until the discs lie still")
        if not self.in_hand():
            raise UserError("all discs are on the table; take them off first")
        self.put((x_mm, 6 + 1000 * speed_m_s**2 / 3.92))

    def players(self):
        return ("beginner", "regular", "county")

    def get_ready(self):
        time.sleep(self.warm_s)

    def shove_as(self, player, game):
        """The county player fills bed 2, from the left; the others never reach a bed."""
        x_mm = 60.0 + 30 * (5 - self.in_hand())
        self.shove(x_mm, 0.75 if player == "county" else 0.5)

    def put(self, place):
        self.lying.append(place)  # first, for what moves is the last that lies
        self.until_s = time.monotonic() + self.slide_s

    def carry(self, places):
        for index, place in places.items():
            self.lying[index] = place

    def clear(self):
        self.lying = []

    def lay(self, discs):
        self.lying = [(x, y) for _, x, y, _ in discs]

    def take_off(self, index):
        del self.lying[index]

    def pixels(self):
        return self.lamps

    def press(self, button):
        self.pressed.append(button)


def near(y_hmm):
    """Whether a bed's limit is so near that this board cannot tell."""
    return abs(margin(y_hmm)) < DOUBT_HMM


def margin(y_hmm):
    """How far inside a bed's limit."""
    above = (y_hmm - geometry.FIRST_LINE_HMM) % geometry.LINE_PITCH_HMM
    return min(above, geometry.LINE_PITCH_HMM - above) - geometry.CLEAR_HMM


class FakeBoard:
    """Runs the firmware's link and rules in a thread; the table's truth stands in for the sensors."""

    def __init__(self):
        self.table = FakeTable()
        self.journal = FakeJournal()
        self.game = Game()
        self.known = []
        self.by = -1
        self.plugged = True
        self.stopping = False
        self.host, self.device = socket.socketpair()
        self.device.setblocking(False)
        self.link = Link(self, self.journal, dict(IDENTITY), self.commands())
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def board(self):
        return Board("fake:", self, self.table, self.stop)

    def stop(self):
        self.stopping = True
        self.thread.join(2)

    # The device

    def run(self):
        while not self.stopping:
            self.look()
            self.link.poll(self.ticks())
            time.sleep(0.004)

    def ticks(self):
        return int(time.monotonic() * 1000) & 0x3FFFFFFF

    def look(self):
        """What the tracker and the scorer would make of the table."""
        if self.table.moving():
            self.link.status("moving", "ok", [])
            flat = [round(100 * value) for disc in self.table.discs() for value in disc]
            self.link.positions(self.ticks(), flat)
            return
        places = [(round(100 * x), round(100 * y)) for x, y in self.table.lying]
        discs = [events.disc(x, y, doubt=near(y)) for x, y in places]
        if places != self.known and self.game.state.sides:
            if len(places) > len(self.known):
                self.do(events.shove(discs, self.by))
                self.by = -1
            elif not places:
                self.do(events.clear())
            elif self.game.asks() & ASK_RETAKE:
                self.do(events.retake())
        self.known = places
        words = ["doubt" if near(y) else str(geometry.VERDICTS[geometry.verdict(x, y)]) for x, y in places]
        seen = [(x, y, word, margin(y), 8, 0) for (x, y), word in zip(places, words, strict=True)]
        self.link.status("asking" if self.game.asks() & ASK_DECIDE else "rest", "ok", seen)
        self.light()

    def do(self, event):
        out = self.game.do(event)
        if not out.refused:
            self.journal.append(events.encode(event))
        return out.refused

    def commands(self):
        return {"event": self.event, "answer": lambda data: "", "by": self.set_by}

    def set_by(self, data):
        self.by = data[0]
        return ""

    def event(self, data):
        return self.do(events.decode(data))

    def light(self):
        state = self.game.state
        lamps = [(0, 0, 0)] * 64
        for side in range(min(2, state.sides)):
            for bed in range(9):
                for k in range(min(3, state.marks[side * 9 + bed])):
                    lamps[side * 32 + bed * 3 + k] = ((60, 26, 0), (0, 30, 60))[side]
            for k in range(state.shoves_left if state.turn == side else 0):
                lamps[side * 32 + 27 + k] = (34, 34, 28)
        self.table.lamps = lamps

    def read(self, timeout_s=None):
        """The device's stream without a timeout, the host's transport with one."""
        if timeout_s is None:
            try:
                return self.device.recv(512)
            except BlockingIOError:
                return b""
        if not self.plugged:
            raise LinkDown("no board is plugged in")
        self.host.settimeout(timeout_s)
        try:
            return self.host.recv(4096)
        except TimeoutError:
            return b""

    def write(self, data):
        if threading.current_thread() is self.thread:
            try:
                return self.device.send(data)
            except BlockingIOError:
                return 0
        if not self.plugged:
            raise LinkDown("no board is plugged in")
        self.host.sendall(data)
        return len(data)

    def open(self):
        if not self.plugged:
            raise LinkDown("no board is plugged in")

    def close(self):
        pass
