"""/play: the board to play on. On a simulated board by flicking; a real one is shown, and minded."""

from collections.abc import Callable
from functools import partial
from typing import Any

from hapenny.rules import events as rules
from hapenny_link.errors import UserError
from nicegui import run, ui
from nicegui.element import Element

from hapenny_host.hall import Hall
from hapenny_host.live import Now
from hapenny_host.views import MatchView
from hapenny_host.web.board import BoardView, tags
from hapenny_host.web.newmatch import NewMatch
from hapenny_host.web.tv import Slate, seen, trouble

REFRESH_S = 0.033
APRON_MM = 104
DEAD = ("over", "wide")
HELP = (
    "Drag back and let go to shove; press near the edge to place the disc. "
    "Keys: ← → place, with Shift turn the aim, ↑ ↓ power, with Shift finely, Space shoves."
)


class Hand(Element, component="play.js"):
    """Takes aim and lets go; lies over a board with the same apron."""

    def __init__(self, on_shove: Callable[[float, float, float], Any]) -> None:
        super().__init__()
        self._props["apron"] = APRON_MM
        self.on("shove", lambda e: on_shove(e.args["x"], e.args["speed"], e.args["angle"]))

    def show(self, ready: bool, why: str, hand: int) -> None:
        """Whether a disc may be shoved, why not, and how many are in hand."""
        props = {"ready": ready, "why": why, "hand": hand}
        if any(self._props.get(key) != value for key, value in props.items()):
            self._props.update(props)
            self.update()


class PlayPage:
    """One browser's copy of the page; `may_act` is False for a mere onlooker."""

    def __init__(self, hall: Hall, may_act: bool) -> None:
        self.hall = hall
        self.table = hall.table if may_act else None
        self.may_act = may_act
        self.version = -1
        self.moving = False
        self.asked: tuple[Any, ...] = ()
        self.told: list[dict[str, Any]] = []
        self.shown: tuple[Any, ...] = ()
        with ui.element("main").classes("play"):
            with ui.element("div").classes("play-board"):
                self.board = BoardView(APRON_MM if self.table else 0)
                if self.table:
                    with self.board:
                        self.hand = Hand(self.shove)
            with ui.element("section").classes("play-side"):
                self.slate = Slate("card")
                self.said = ui.label().classes("said").props("aria-live=polite")
                self.actions = ui.element("div").classes("actions")
                self.log = ui.element("ol").classes("log").props("reversed")
                if self.table:
                    ui.label(HELP).classes("help")
                with ui.element("nav").classes("foot"):
                    self.link = ui.label().classes("link")
                    ui.link("Scoreboard", "/tv", new_tab=True)
        self.new_match = NewMatch(hall, self.tell)
        ui.timer(REFRESH_S, self.refresh)
        self.refresh()

    # What is shown

    def refresh(self) -> None:
        """Bring the page up to now."""
        now = self.hall.now
        if now.version != self.version:
            self.version = now.version
            self.slate.show(now.match, trouble(now), now.alarm)
            self.said.text = headline(now)
            self.link.text = f"Board {now.link.board}" if now.link.connected else "No board"
            self.link.classes(replace="link there" if now.link.connected else "link gone")
            self.offer(now)
            self.tell_turns(now.match)
        self.draw(now)

    def tell_turns(self, match: MatchView) -> None:
        """The last turns, the newest first."""
        if match.log == self.told:
            return
        self.told = match.log
        self.log.clear()
        with self.log:
            for turn in reversed(match.log):
                with ui.element("li").classes("void" if turn["void"] else ""):
                    ui.label(" & ".join(match.sides[turn["side"]].names)).classes("who")
                    for verdict in turn["verdicts"]:
                        ui.label(verdict).classes("bed" if verdict.isdigit() else "miss")

    def draw(self, now: Now) -> None:
        """The discs: where they physically are, if that can be known, else as the board sees them."""
        table = self.hall.table
        if table is None:
            found = seen(now)
            self.settle([(x, y) for x, y, _ in found], tags(found, now.match.last_disc))
            return
        discs, moving = table.discs(), table.moving()
        self.board.light(table.pixels())
        if moving:
            self.board.slide(discs)
        else:
            calm = now.link.connected and now.picture.state in ("rest", "asking")
            self.settle(discs, tags(seen(now), now.match.last_disc) if calm else [])
        self.moving = moving
        if self.table:
            why = self.why_not(now, moving)
            self.hand.show(not why, "" if moving else why, table.in_hand())

    def settle(self, discs: list[tuple[float, float]], said: list[dict[str, Any]]) -> None:
        """Show discs at rest, if they are not shown so already."""
        shown = (discs, said)
        if shown != self.shown or self.moving:
            self.shown = shown
            self.board.show(discs, said)

    def why_not(self, now: Now, moving: bool) -> str:
        """Why no disc may be shoved now; "" if one may."""
        match = now.match
        if not now.link.connected:
            return "Waiting for the board"
        if match.number == 0 or match.winner >= 0:
            return "Start a match"
        if moving or now.picture.state in ("moving", "hand"):
            return "Let the discs come to rest"
        if "clear" in match.asks:
            return "Take the discs off first"
        if match.shoves_left == 0 and "nine" not in match.asks:
            return "The turn is not settled yet"
        if self.table and self.table.in_hand() == 0:
            return "All discs are on the board"
        return ""

    # What a person may do

    def offer(self, now: Now) -> None:
        """Buttons for what the rules need now."""
        if not self.may_act:
            return
        wanted = tuple(self.choices(now))
        if wanted == self.asked:
            return
        self.asked = wanted
        self.actions.clear()
        with self.actions:
            for text, act, argument, style in wanted:
                button = ui.button(text, on_click=partial(self.act, act, argument), color=None)
                button.classes(style).props("no-caps unelevated")

    def choices(self, now: Now) -> list[tuple[str, str, Any, str]]:
        """(text, act, argument, style) of each button."""
        match, state = now.match, now.picture.state
        asks = match.asks
        out: list[tuple[str, str, Any, str]] = []
        if match.number == 0 or match.winner >= 0:
            out.append(("New match", "new", None, "main"))
        if self.table and "clear" in asks:
            out.append(("Take the discs off", "clear", None, "main"))
        if "decide" in asks:
            for i in match.undecided[:1]:
                out += [("It scores", "decide", (i, True), "main"), ("It does not", "decide", (i, False), "main")]
        elif state == "asking" and "clear" not in asks:
            out += [("The shover touched them", "answer", True, "main"), ("Somebody else did", "answer", False, "main")]
        if "retake" in asks:
            out.append(("Take it back", "retake", None, "main"))
        if "record" in asks or ("retake" in asks and match.shoves_left == 0):
            out.append(("Write the score up", "record", None, "main"))
        if "choose" in asks:
            out += [("Shove again", "choose", "replay", "main"), ("Put them back", "choose", "replace", "main")]
        if "give" in asks:
            out += [
                (f"Bed {match.give_bed} to {' & '.join(side.names)}", "give", i, "main")
                for i, side in enumerate(match.sides)
                if i != match.turn
            ]
        if self.table and any(disc.verdict in DEAD for disc in now.picture.discs) and "clear" not in asks:
            out.append(("Take the dead disc off", "dead", None, "main"))
        if match.number:
            out += [("Undo", "undo", None, "quiet"), ("New match", "new", None, "quiet")]
        return out

    async def act(self, act: str, argument: Any) -> None:
        """Do what a button says. Discs are moved by hand, never by the host: the board has to notice by itself."""
        if act == "new":
            self.new_match.open()
            return
        await self.attempt(lambda: self.perform(act, argument))

    def perform(self, act: str, argument: Any) -> str:
        """Runs off the event loop; returns why it could not be done."""
        table, now = self.table, self.hall.now
        if table and act == "clear":
            table.clear()
            return ""
        if table and act == "retake":
            return take_off_last(table, now)
        if table and act == "dead":
            dead = next(disc for disc in now.picture.discs if disc.verdict in DEAD)
            return take_off_at(table, dead.x_mm, dead.y_mm)
        if act == "answer":
            return self.hall.command("answer", bytes([argument]))
        return self.hall.propose(PROPOSALS[act](argument))

    async def shove(self, x_mm: float, speed_m_s: float, angle_rad: float) -> None:
        """Let go."""
        table = self.table
        if table is None:
            return

        def flick() -> str:
            table.shove(x_mm, speed_m_s, angle_rad)
            return ""

        await self.attempt(flick)

    async def attempt(self, work: Callable[[], str]) -> None:
        """Run it aside, and say why if it could not be done."""
        try:
            problem = await run.io_bound(work)
        except UserError as error:
            problem = str(error)
        if problem:
            self.tell(problem)

    def tell(self, text: str) -> None:
        ui.notify(text[:1].upper() + text[1:], position="top", classes="told")


PROPOSALS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "decide": lambda argument: rules.decide(argument[0] + 1, argument[1]),
    "retake": lambda argument: rules.retake(),
    "record": lambda argument: rules.record(),
    "choose": lambda argument: rules.choose(argument),
    "undo": lambda argument: rules.undo(),
    "clear": lambda argument: rules.clear(),
}


def take_off_last(table: Any, now: Now) -> str:
    """A hand takes the disc shoved last off the simulated table."""
    last = now.match.discs[-1] if now.match.discs else None
    return take_off_at(table, last["x"], last["y"]) if last else "There is no disc to take back."


def take_off_at(table: Any, x_mm: float, y_mm: float) -> str:
    """A hand takes the disc nearest that place off the simulated table."""
    discs = table.discs()
    if not discs:
        return "There is no disc on the board."
    table.take_off(min(range(len(discs)), key=lambda i: (discs[i][0] - x_mm) ** 2 + (discs[i][1] - y_mm) ** 2))
    return ""


def headline(now: Now) -> str:
    """What matters most now, in a sentence."""
    match = now.match
    if not now.link.connected:
        return f"The board is away: {trouble(now)}"
    if match.number == 0:
        return "No match yet"
    if match.winner >= 0:
        names = match.sides[match.winner].names
        return f"{' & '.join(names)} {'win' if len(names) > 1 else 'wins'}!"
    called = "Turn lost. " if match.void else f"{match.last}. " if match.last else ""
    if "clear" in match.asks:
        return f"{called}{match.player} is next: take the discs off"
    left = f"{match.shoves_left} to go" if match.shoves_left else "waiting for a word"
    return f"{called}{match.player} to shove, {left}"


def build(hall: Hall, may_act: bool) -> None:
    """Fill the page."""
    ui.query("body").classes("play-body")
    PlayPage(hall, may_act)
