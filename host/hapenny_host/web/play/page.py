"""/play: the board to play on. On a simulated board by flicking; a real one is shown, and minded."""

from collections.abc import Callable
from functools import partial
from typing import Any

from hapenny.rules import events as rules
from hapenny_link.board import Table
from hapenny_link.errors import UserError
from nicegui import run, ui

from hapenny_host.boards.misplaced import hands_done, marked, off_again, strays
from hapenny_host.boards.served import Hall
from hapenny_host.boards.state import Now
from hapenny_host.match.turns import OUT_OF_TURN
from hapenny_host.match.view import MatchView
from hapenny_host.match.words import tag
from hapenny_host.match.wrong_calls import called
from hapenny_host.web.elements.board import BoardView, hesitation, places_to_fill, tags
from hapenny_host.web.elements.dartboard import HELP as DARTS_HELP
from hapenny_host.web.elements.dartboard import Dartboard, whose_dart, why_no_dart
from hapenny_host.web.elements.hand import APRON_MM, Hand
from hapenny_host.web.elements.slate import Slate
from hapenny_host.web.play.buttons import Action, offered, perform
from hapenny_host.web.play.headline import headline, question
from hapenny_host.web.play.new_match import NewMatch
from hapenny_host.web.play.referee import Referee, after
from hapenny_host.web.tv.page import ailment, seen, trouble, urgent

REFRESH_S = 0.033
SOMEBODY = "The last side is played by"
PEOPLE = ("A person", "People")
BEDS = tuple("123456789")
# The choice made, the keys are the hand's again. Quasar gives the box the focus back, on a slow machine late: twice.
KEYS_BACK = """() => [50, 400].forEach((ms) => setTimeout(() => {
  if (document.activeElement.closest(".opponent")) document.activeElement.blur();
}, ms))"""
HELP = (
    "Drag back and let go to shove; press near the edge to place the disc. "
    "Keys: ← → place, with Shift turn the aim, ↑ ↓ power, with Shift finely, Space shoves."
)


class PlayPage:
    """One browser's copy of the page; `may_act` is False for a mere onlooker."""

    def __init__(self, hall: Hall, may_act: bool) -> None:
        self.hall = hall
        self.table = hall.table if may_act else None
        self.may_act = may_act
        self.version: Any = None
        self.moving = False
        self.asked: dict[str, list[Action]] = {}  # the buttons of each row, by their style
        self.told: Any = None
        self.shown: tuple[Any, ...] = ()
        with ui.element("main").classes("play") as self.main:
            with ui.element("div") as self.frame:
                self.build_board()
            with ui.element("section").classes("play-side") as self.side:
                self.build_side()
        self.new_match = NewMatch(hall, self.tell)
        ui.timer(REFRESH_S, self.refresh)
        self.refresh()

    def build_board(self) -> None:
        self.board = BoardView(APRON_MM if self.table else 0)
        if self.table:
            with self.board:
                self.hand = Hand(self.shove)
        self.dartboard = Dartboard(self.dart)

    def build_side(self) -> None:
        self.slate = Slate("card")
        self.said = ui.label().classes("said").props("aria-live=polite")
        self.actions = ui.element("div").classes("actions")
        self.tools = ui.element("div").classes("actions tools")
        self.referee = Referee(self.rule)
        self.log = ui.element("ol").classes("log").props("reversed")
        self.help = ui.label().classes("help")
        with ui.element("nav").classes("foot"):
            self.link = ui.label().classes("link")
            ui.link("Scoreboard", "/tv", new_tab=True)
            self.build_opponent()

    def build_opponent(self) -> None:
        """Who plays against the people; only where somebody can."""
        players = self.hall.opponent.choices() if self.table else ()
        self.players = {player: f"The computer: {player}" for player in players}
        self.opponent = ui.select(
            {"": PEOPLE[0], **self.players}, label=SOMEBODY, on_change=lambda e: self.hall.opponent.choose(e.value)
        )
        self.opponent.on("popup-hide", js_handler=KEYS_BACK)
        self.opponent.classes("opponent").props("outlined dense dark options-dark")

    # What is shown

    def refresh(self) -> None:
        """Bring the page up to now."""
        now = self.hall.now
        hands = (self.table.moving(), len(self.table.discs())) if self.table else None
        if (now.version, hands) != self.version:
            self.version = (now.version, hands)
            self.slate.show(now.match, trouble(now), urgent(now))
            self.said.text = headline(now, self.table, self.hall.opponent.plays(now))
            self.tell_board(now)
            self.offer(now)
            self.tell_opponent(now.match)
            self.show_referee(now)
            self.tell_turns(now)
            self.arrange(now)
        self.draw(now)

    def tell_board(self, now: Now) -> None:
        """Whether there is a board, and what is wrong with it."""
        ill = ailment(now)
        named = f"Board {now.link.board}" if now.link.connected else "No board"
        self.link.text = f"{named}: {ill}" if ill else named
        self.link.classes(replace="link ill" if ill else "link there" if now.link.connected else "link gone")

    def tell_opponent(self, match: MatchView) -> None:
        """Who the opponent is, and for whom it plays."""
        if self.opponent.value != self.hall.opponent.player:
            self.opponent.value = self.hall.opponent.player
        names = match.sides[-1].names if match.sides else []
        are = "are" if len(names) > 1 else "is"
        self.opponent.props["label"] = f"{' & '.join(names)} {are} played by" if names else SOMEBODY
        self.opponent.options = {"": PEOPLE[len(names) > 1], **self.players}
        self.opponent.update()

    def arrange(self, now: Now) -> None:
        """The board to shove on, or in darts the one to throw at."""
        darts = now.match.preset == "darts"
        self.frame.classes(replace="play-board darts" if darts else "play-board" if self.table else "play-board bare")
        self.board.set_visibility(not darts)
        self.dartboard.set_visibility(darts)
        self.opponent.set_visibility(len(self.opponent.options) > 1 and not darts)
        self.help.text = (
            "" if not self.may_act or question(now) else DARTS_HELP if darts else HELP if self.table else ""
        )
        if darts:
            self.dartboard.show(why_no_dart(now) if self.may_act else whose_dart(now), whose_dart(now))

    def tell_turns(self, now: Now) -> None:
        """The last turns, the newest first."""
        match, discs = now.match, now.picture.discs
        reasons = {n: hesitation(discs, disc) for n, disc in enumerate(match.discs) if disc["verdict"] == "doubt"}
        if (match.log, reasons) == self.told:
            return
        self.told = (match.log, reasons)
        self.log.clear()
        with self.log:
            for turn in reversed(match.log):
                turn_line(" & ".join(match.sides[turn["side"]].names), turn, reasons)

    def draw(self, now: Now) -> None:
        """The discs: where they physically are, if that can be known, else as the board sees them."""
        table = self.hall.table
        if table is None:
            found = seen(now)
            self.settle([(d.x_mm, d.y_mm) for d in found], written(now, None))
            return
        discs, moving = table.discs(), table.moving()
        self.board.light(table.pixels())
        if moving:
            self.board.slide(discs)
        else:
            calm = now.link.connected and now.picture.state in ("rest", "asking")
            self.settle(discs, written(now, table) if calm else [])
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
        if match.preset == "darts":
            return "This match is played with darts"
        if self.hall.opponent.plays(now) and "clear" not in match.asks:
            return self.hall.opponent.doing(match.player)
        return self.not_yet(now, moving)

    def not_yet(self, now: Now, moving: bool) -> str:
        """What has to happen before people shove; "" if nothing."""
        match = now.match
        if now.picture.state == "waiting":
            return "The board has a look"
        if moving or now.picture.state in ("moving", "hand", "frozen"):
            return "Let the discs come to rest"
        if now.picture.state == "asking" and "clear" not in match.asks:
            return "First answer the question"
        if "clear" in match.asks:
            done = hands_done(self.table) and not off_again(now, self.table)
            return "The board has a look" if done else "Take the discs off first"
        if strays(now):
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
        wanted = offered(now, self.table)
        for row, style in ((self.actions, "main"), (self.tools, "quiet")):
            here = [action for action in wanted if action.style == style]
            if here == self.asked.get(style):
                continue
            self.asked[style] = here
            row.clear()
            with row:
                for action in here:
                    button = ui.button(action.text, on_click=partial(self.act, action), color=None)
                    button.classes(style).props("no-caps unelevated")

    async def act(self, action: Action) -> None:
        """Do what a button says."""
        if action.do == "new":
            self.new_match.open()
        elif action.do == "referee":
            self.referee.opened = not self.referee.opened
            self.show_referee(self.hall.now)
        else:
            await self.attempt(lambda: perform(self.hall, self.table, action))

    def show_referee(self, now: Now) -> None:
        """The referee's menu, if it is wanted, in the place of the list of turns: board and slate are looked at."""
        self.referee.show(now, called(self.hall.live.game()) if self.referee.opened else [])
        self.main.classes(replace="play ruling" if self.referee.opened else "play")

    async def rule(self, action: Action | None) -> None:
        """Do what a button of the referee's menu says, None for Cancel, and say what came of it."""
        match = self.hall.now.match
        self.show_referee(self.hall.now)
        if action and await self.attempt(lambda: perform(self.hall, self.table, action)):
            self.tell(after(action, match))

    async def shove(self, x_mm: float, speed_m_s: float, angle_rad: float) -> None:
        """Let go."""
        table = self.table
        if table is None:
            return

        def flick() -> str:
            table.shove(x_mm, speed_m_s, angle_rad)
            return ""

        await self.attempt(flick)

    async def dart(self, hit: str) -> None:
        """A dart has hit there."""
        if self.may_act:
            await self.attempt(lambda: self.hall.propose(rules.dart(hit)))

    async def attempt(self, work: Callable[[], str]) -> bool:
        """Run it aside, and say why if it could not be done; returns whether it was."""
        try:
            problem = await run.io_bound(work)
        except UserError as error:
            problem = str(error)
        if problem:
            self.tell(problem)
        return not problem

    def tell(self, text: str) -> None:
        """A sentence that passes by. The button that caused it may be gone by now: the side panel stays."""
        with self.side:
            ui.notify(text[:1].upper() + text[1:], position="top", classes="told")


def written(now: Now, table: Table | None) -> list[dict[str, Any]]:
    """What stands on the discs, and where one is to be put back."""
    found = seen(now)
    return tags(found, now.match, marked(now, table)) + places_to_fill(found, now.match)


def turn_line(name: str, turn: dict[str, Any], reasons: dict[int, str]) -> None:
    """One turn: whose, and its discs; `reasons`: why the board does not call some, by places in the game's list."""
    with ui.element("li").classes("void" if turn["void"] else ""):
        ui.label(name).classes("who")
        for number, row in enumerate(turn["rows"], 1):
            with ui.element("span").classes("row"):
                disc_row(number, row, reasons.get(row["at"], ""))
        if any(row["person"] for row in turn["rows"]):
            ui.label("* a person decided").classes("hint")


def disc_row(number: int, row: dict[str, Any], reason: str) -> None:
    """A disc: its number in the turn, struck out what it was called before, what it is called now."""
    if row["calls"] != [OUT_OF_TURN]:
        ui.label(str(number)).classes("number")
    for call in struck(row):
        ui.label(tag(call)).classes("was")
    call: str = "again" if row["hand"] else row["calls"][-1]
    look = "bed" if call.lstrip("DT") in BEDS else "open" if call == "doubt" else "miss"
    ui.label(tag(call) + "*" * row["person"]).classes(look)
    if call == "doubt" and reason:
        ui.label(reason).classes("hint")


def struck(row: dict[str, Any]) -> list[str]:
    """What a disc was called before and is no longer: it was moved, or people said so.

    That the board hesitated for a while, and then did not, has overruled nothing.
    """
    calls: list[str] = []
    for n, call in enumerate(row["calls"], 1):
        decided = row["person"] and n == len(row["calls"]) - 1
        if (call != "doubt" or decided or n == len(row["calls"])) and calls[-1:] != [call]:
            calls.append(call)
    return calls if row["hand"] else calls[:-1]


def build(hall: Hall, may_act: bool) -> None:
    """Fill the page."""
    ui.query("body").classes("play-body")
    PlayPage(hall, may_act)
