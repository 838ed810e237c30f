"""The targets with a board: discs are really moved over the sensors, and the verdicts are the firmware's own.

What no sensor sees is entered as a person would, by the host. What the rules refuse is only tried at the host: nobody
can play a refused shove on a real table and have it lie there again afterwards.
"""

from collections.abc import Callable
from typing import Any

from hapenny.layout import FIRST_LINE_HMM, LINE_PITCH_HMM
from hapenny.rules import events, geometry
from hapenny.rules.game import Game

from hapenny_sim.boards.acts import Lying, Slide
from hapenny_sim.boards.lockstep import Lockstep
from hapenny_sim.scenario.match import Match
from hapenny_sim.scenario.moves import Point, rests, script
from hapenny_sim.scenario.steps import event_of
from hapenny_sim.scenario.target import Reply, reply_of, state_of

DISCS = 15  # of the simulated set: enough for every scenario
MOVED_MM = 3.0  # discs nearer than this to where the game has them lie where it has them
LINE_SLACK_HMM = 80
SIDE_SLACK_HMM = 250
PHYSICAL = ("shove", "nine", "clear", "retake", "touch", "interfere")


def open_unix(address: str, seed: int | None) -> "BoardTarget":
    """The firmware on MicroPython's Unix port, in lockstep."""

    def board() -> Lockstep:
        return Lockstep(seed=1 if seed is None else seed, discs=DISCS)

    return BoardTarget(board(), board)


def open_emulated(_address: str, seed: int | None) -> "BoardTarget":
    """The firmware on an emulated RP2040, in lockstep. UserError if there is no image, or no emulator."""
    from hapenny_sim.boards.emulated_lockstep import EmulatedLockstep

    def board() -> Lockstep:
        return EmulatedLockstep(seed=1 if seed is None else seed, discs=DISCS)

    return BoardTarget(board(), board)


def same_place(step: Any, before: list[Any], number: int) -> bool:
    """Whether disc `number` (from 1) lies after a step where it lay before."""
    discs = step.keys["discs"]
    if not 0 < number <= min(len(before), len(discs)):
        return False
    old, new = before[number - 1], discs[number - 1]
    return (old["x"], old["y"]) == (new["x"], new["y"])


def too_near(x_hmm: int, y_hmm: int) -> bool:
    """Whether a disc lies so near a limit that a board may say `doubt` (SCENARIOS.md, last paragraph)."""
    if not geometry.SHORT_HMM - LINE_SLACK_HMM < y_hmm < geometry.OVER_HMM + LINE_SLACK_HMM:
        return False
    above = (y_hmm - FIRST_LINE_HMM) % LINE_PITCH_HMM
    to_line = abs(min(above, LINE_PITCH_HMM - above) - geometry.CLEAR_HMM)
    to_side = min(abs(x_hmm - geometry.LEFT_HMM), abs(x_hmm - geometry.RIGHT_HMM))
    return to_line < LINE_SLACK_HMM or to_side < SIDE_SLACK_HMM


class BoardTarget:
    """Plays steps on a simulated table and listens to the board as a host does."""

    def __init__(self, board: Lockstep, another: Callable[[], Lockstep] | None = None) -> None:
        self.board = board
        self.another = another  # makes a fresh board for every further file: what one file does touches no other
        self.used = False
        self.match: Match
        self.mirror = Game()  # folds the board's events, as every host does
        self.first = self.folded = 0  # events of this match: where they begin, how far they are folded

    def unfit(self, steps: list[Any]) -> str:
        """Why these steps cannot happen at a board; "" if they can."""
        before: list[Any] = []
        for step in steps:
            if step.do in ("shove", "nine") and any(too_near(disc["x"], disc["y"]) for disc in step.keys["discs"]):
                return "a disc lies within 0.8 mm of a line's limit, or 2.5 mm of a side line's: doubt is right there"
            if any(len(disc["on"]) > 1 for disc in step.keys.get("discs", ())):
                return "three discs in one heap: the sensors see a heap there, not how many lie in it"
            if step.do == "shove" and any(same_place(step, before, n) for n in step.keys.get("hit", ())):
                return "a disc is struck and stays where it lay: no sensor can see that"
            if any(disc["doubt"] for disc in step.keys.get("discs", ())):
                return "doubt = true is for the engine alone: at a board the sensors say what is in doubt"
            before = step.keys.get("discs", before)
        return ""

    def start(self, match: Match) -> None:
        self.match = match
        if self.used and self.another is not None:
            self.board.close()
            self.board = self.another()
        self.used = True
        self.board.table.raise_lifts(0)
        self.board.table.clear()
        self.board.rest()
        self.mirror = Game()
        self.first = self.folded = len(self.board.sink.events)
        code = self.enter(match.start)
        if code:
            raise RuntimeError(f"the board refused to start the match: {code}")
        self.fold()

    def close(self) -> None:
        self.board.close()

    def do(self, do: str, keys: dict[str, Any]) -> Reply:
        event = event_of(do, keys, self.match)
        if do == "power_cut":
            self.board.power_cut()
            self.fold()
            return self.reply(self.tried(event), keys)
        tried = self.tried(event)
        if tried.refused or do not in PHYSICAL:
            tried.refused = self.enter(event)
            outcome = self.fold()
            self.tidy_table()
            return reply_of(self.match, self.mirror, tried) if tried.refused else self.reply(outcome, keys)
        getattr(self, f"do_{do}")(keys)
        outcome = self.fold()
        self.tidy_table()
        return self.reply(outcome, keys)

    # Listening

    def enter(self, event: tuple) -> str:
        """A person enters an event at the host; returns the board's refusal code."""
        return self.board.command("event", events.encode(event))

    def fold(self) -> Any:
        """The board's new events into the mirror; the outcome of the last one, None if there was none."""
        outcome = None
        while self.folded < len(self.board.sink.events):
            outcome = self.mirror.do(events.decode(self.board.sink.events[self.folded].data))
            self.folded += 1
        return outcome

    def tried(self, event: tuple) -> Any:
        """What the rules would say: the outcome on a copy."""
        copy = Game()
        for received in self.board.sink.events[self.first : self.folded]:
            copy.do(events.decode(received.data))
        return copy.do(event)

    def reply(self, outcome: Any, keys: dict[str, Any]) -> Reply:
        if outcome is None:
            return Reply("", state_of(self.match, self.mirror))
        reply = reply_of(self.match, self.mirror, outcome)
        last = reply.got.get("last")
        if keys.get("gone") and last and last["verdict"] in ("over", "wide"):
            # past the sensors' reach nobody can tell lying there from having fallen off; both are dead
            reply.got["last"] = {"disc": 0, "verdict": geometry.VERDICTS[geometry.OFF]}
            reply.got["verdicts"] = reply.got["verdicts"][:-1]
        return reply

    # Acting

    def do_shove(self, keys: dict[str, Any]) -> None:
        if "by" in keys:
            self.board.command("by", bytes([self.match.player(keys["by"])]))
        table = self.board.table
        listed = [(disc["x"] / 100, disc["y"] / 100) for disc in keys["discs"]]
        gone = keys.get("gone", False)
        shoved = None if gone else listed[-1]
        before = table.discs()
        after = self.matched(before, listed if gone else listed[:-1])
        lifts = 0
        for disc in keys["discs"]:
            if disc["lift"]:
                lifts |= 1 << self.nearest_line(disc["y"])
        table.raise_lifts(lifts)
        discs = [*table.lying, Lying(table.free_disc(), 0.0, 0.0)]
        places: list[Point | None] = [*after, shoved]
        on = self.heaps(keys["discs"], listed, places)
        with table.lock:
            table.do(Slide(discs, script(before, after, shoved), rests(discs, places, on)))
        self.board.rest()

    do_nine = do_shove

    def nearest_line(self, y_hmm: int) -> int:
        layout = self.board.table.layout
        return max(0, min(layout.LINES - 1, round((y_hmm - layout.FIRST_LINE_HMM) / layout.LINE_PITCH_HMM)))

    def matched(self, before: list[Point], listed: list[Point]) -> list[Point | None]:
        """Where each disc on the table goes: those listed where they lie stay, others take what is left in order."""
        lying = {k: self.place_of(k, before) for k in range(len(before))}
        left = list(listed)
        after: list[Point | None] = [None] * len(before)
        for k, place in lying.items():
            if place in left:
                left.remove(place)
                after[k] = before[k]
        for k in range(len(before)):
            if after[k] is None and left:
                after[k] = left.pop(0)
        return after

    def place_of(self, k: int, before: list[Point]) -> Point:
        """Where the scenario put the disc at table place k (exactly; the simulated table keeps it)."""
        return (round(before[k][0], 2), round(before[k][1], 2))

    def heaps(self, discs: list[Any], listed: list[Point], places: list[Point | None]) -> list[tuple[int, ...]]:
        """For every disc on the table, the discs that stay (by place among them) it lies on."""
        stay = [place for place in places if place is not None]
        found: list[tuple[int, ...]] = []
        for place in places:
            rounded = (round(place[0], 2), round(place[1], 2)) if place is not None else None
            number = listed.index(rounded) if rounded in listed else -1
            on = discs[number]["on"] if number >= 0 else ()
            found.append(tuple(self.index_of(stay, listed[k - 1]) for k in on))
        return found

    def index_of(self, places: list[Point], wanted: Point) -> int:
        return next(i for i, place in enumerate(places) if (round(place[0], 2), round(place[1], 2)) == wanted)

    def do_clear(self, _keys: dict[str, Any]) -> None:
        had = len(self.board.table.lying)
        self.board.table.clear()
        self.board.rest()
        if not had:
            self.enter(events.clear())  # nothing lay there for the sensors to miss

    def do_retake(self, _keys: dict[str, Any]) -> None:
        self.board.table.take_off(self.nearest(self.mirror.state.discs[-1]))
        self.board.rest()

    def nearest(self, disc: tuple) -> int:
        places = self.board.table.discs()
        return min(
            range(len(places)), key=lambda k: abs(places[k][0] - disc[0] / 100) + abs(places[k][1] - disc[1] / 100)
        )

    def do_touch(self, keys: dict[str, Any]) -> None:
        self.move_by_hand(keys.get("discs"))
        if self.board.picture.state == "asking" and "by" not in keys:
            self.board.command("answer", b"\x01")
        else:
            player = self.match.player(keys["by"]) if "by" in keys else events.IN_TURN
            self.enter(events.touch(player))

    def do_interfere(self, keys: dict[str, Any]) -> None:
        self.move_by_hand(keys["discs"])
        self.board.command("answer", b"\x00")

    def move_by_hand(self, discs: list[Any] | None) -> None:
        if discs is None:
            return
        before = self.board.table.discs()
        after = self.matched(before, [(disc["x"] / 100, disc["y"] / 100) for disc in discs])
        moves = {k: place for k, place in enumerate(after) if place is not None and place != before[k]}
        for k in reversed([k for k, place in enumerate(after) if place is None]):
            self.board.table.take_off(k)
            self.board.rest()
        if moves:
            self.board.table.carry(moves)
            self.board.rest()

    # Keeping the table as people would

    def counted(self, k: int) -> bool:
        """Whether the game still has the disc at table place k, there or where it is to go back to."""
        return k in [self.nearest(disc) for disc in self.mirror.state.discs]

    def tidy_table(self) -> None:
        """People take dead discs off at once (RULES 8), and put every disc where the game now has it."""
        table = self.board.table
        if self.mirror.state.old or self.mirror.state.winner >= 0:
            return
        for k in reversed(range(len(table.lying))):
            if not self.counted(k):
                table.take_off(k)
                self.board.rest()
        moves: dict[int, Point] = {}
        for disc in self.mirror.state.discs:
            place = (disc[0] / 100, disc[1] / 100)
            places = table.discs()
            k = self.nearest(disc) if places else -1
            apart = max(abs(places[k][0] - place[0]), abs(places[k][1] - place[1])) if places else 1e9
            if k < 0 or k in moves or (apart > MOVED_MM and len(places) < len(self.mirror.state.discs)):
                table.put(place)
                self.board.rest()
            elif apart > MOVED_MM:
                moves[k] = place
        if moves:
            table.carry(moves)
            self.board.rest()
