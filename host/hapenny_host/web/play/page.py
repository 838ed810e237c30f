"""/play: the board to play on. A simulated board is played by flicking; a real one is shown, and looked after."""

from collections.abc import Callable
from functools import partial
from typing import Any

from hapenny.rules import events as rules
from hapenny_link.board import Table
from hapenny_link.errors import UserError
from nicegui import run, ui

from hapenny_host.boards.actions import Action, perform
from hapenny_host.boards.misplaced import misplaced_discs
from hapenny_host.boards.opponent import Opponent
from hapenny_host.boards.served import ServedBoard
from hapenny_host.boards.state import BoardState
from hapenny_host.boards.status import ailment, trouble, urgent, visible_discs
from hapenny_host.match.view import MatchView
from hapenny_host.match.wrong_calls import correctable_calls
from hapenny_host.web.elements.board import BoardView, gap_tags, tags
from hapenny_host.web.elements.dartboard import HELP as DARTS_HELP
from hapenny_host.web.elements.dartboard import Dartboard, whose_dart, why_no_dart
from hapenny_host.web.elements.hand import APRON_MM, Hand
from hapenny_host.web.elements.slate import Slate
from hapenny_host.web.play.buttons import offered
from hapenny_host.web.play.headline import headline, question
from hapenny_host.web.play.new_match import NewMatch
from hapenny_host.web.play.readiness import why_no_shove
from hapenny_host.web.play.referee import Referee, after
from hapenny_host.web.play.turn_list import TurnList

REFRESH_S = 0.033
LAST_SIDE = "The last side is played by"
PEOPLE = ("A person", "People")
# After a choice the keys belong to the hand again. Quasar focuses the box again, late on a slow machine: so twice.
KEYS_BACK = """() => [50, 400].forEach((ms) => setTimeout(() => {
  if (document.activeElement.closest(".opponent")) document.activeElement.blur();
}, ms))"""
HELP = (
    "Drag back and let go to shove. Press near the edge to place the disc. "
    "Keys: ←\u00a0→ place, ↑\u00a0↓ power, Space shoves; with Shift, ←\u00a0→ aim and ↑\u00a0↓ set the power finely."
)


class PlayPage:
    """One browser's copy of the page. `may_act` is False for somebody who only watches."""

    def __init__(self, served: ServedBoard, opponent: Opponent, may_act: bool) -> None:
        self.served = served
        self.opponent = opponent
        self.table = served.table if may_act else None
        self.may_act = may_act
        self.version: Any = None
        self.moving = False
        self.offered: dict[str, list[Action]] = {}  # the buttons of each row, by their style
        self.drawn: tuple[Any, ...] = ()
        with ui.element("main").classes("play") as self.main:
            with ui.element("div") as self.frame:
                self.build_board()
            with ui.element("section").classes("play-side") as self.side:
                self.build_side()
        self.new_match = NewMatch(served, self.tell)
        ui.timer(REFRESH_S, self.refresh)
        self.refresh()

    def build_board(self) -> None:
        """The board with the hand, and the dartboard in its place in darts."""
        self.board = BoardView(APRON_MM if self.table else 0)
        if self.table:
            with self.board:
                self.hand = Hand(self.shove)
        self.dartboard = Dartboard(self.dart)

    def build_side(self) -> None:
        """All that stands beside the board, from top to bottom."""
        self.slate = Slate("card")
        self.said = ui.label().classes("said").props("aria-live=polite")
        self.actions = ui.element("div").classes("actions")
        self.tools = ui.element("div").classes("actions tools")
        self.referee = Referee(self.rule)
        self.turns = TurnList()
        self.help = ui.label().classes("help")
        with ui.element("nav").classes("foot"):
            self.link = ui.label().classes("link")
            ui.link("Scoreboard", "/tv", new_tab=True)
            self.build_opponent_box()

    def build_opponent_box(self) -> None:
        """Who plays against the people, where the table can shove by itself."""
        players = self.opponent.choices() if self.table else ()
        self.players = {player: f"The computer: {player}" for player in players}
        self.opponent_box = ui.select(
            {"": PEOPLE[0], **self.players}, label=LAST_SIDE, on_change=lambda e: self.opponent.choose(e.value)
        )
        self.opponent_box.on("popup-hide", js_handler=KEYS_BACK)
        self.opponent_box.classes("opponent").props("outlined dense dark options-dark")

    # What is shown

    def refresh(self) -> None:
        """Show what has changed."""
        state = self.served.state
        hands = (self.table.moving(), len(self.table.discs())) if self.table else None
        if (state.version, hands) != self.version:
            self.version = (state.version, hands)
            self.slate.show(state.match, trouble(state), urgent(state))
            self.said.text = headline(state, self.table, self.opponent.is_in_turn(state))
            self.show_link(state)
            self.show_buttons(state)
            self.show_opponent(state.match)
            self.show_referee(state)
            self.turns.show(state)
            self.arrange(state)
        self.draw(state)

    def show_link(self, state: BoardState) -> None:
        """Whether there is a board, and what is wrong with it."""
        ill = ailment(state)
        named = f"Board {state.link.board}" if state.link.connected else "No board"
        self.link.text = f"{named}: {ill}" if ill else named
        self.link.classes(replace="link ill" if ill else "link there" if state.link.connected else "link gone")

    def show_opponent(self, match: MatchView) -> None:
        """Who the opponent is, and for whom it plays."""
        if self.opponent_box.value != self.opponent.player:
            self.opponent_box.value = self.opponent.player
        names = match.sides[-1].names if match.sides else []
        are = "are" if len(names) > 1 else "is"
        self.opponent_box.props["label"] = f"{' & '.join(names)} {are} played by" if names else LAST_SIDE
        self.opponent_box.options = {"": PEOPLE[len(names) > 1], **self.players}
        self.opponent_box.update()

    def arrange(self, state: BoardState) -> None:
        """Show the board to shove on, or in darts the one to throw at."""
        darts = state.match.preset == "darts"
        self.frame.classes(replace="play-board darts" if darts else "play-board" if self.table else "play-board bare")
        self.board.set_visibility(not darts)
        self.dartboard.set_visibility(darts)
        self.opponent_box.set_visibility(len(self.opponent_box.options) > 1 and not darts)
        helps = self.may_act and not question(state)
        self.help.text = "" if not helps else DARTS_HELP if darts else HELP if self.table else ""
        if darts:
            self.dartboard.show(why_no_dart(state) if self.may_act else whose_dart(state), whose_dart(state))

    def draw(self, state: BoardState) -> None:
        """Draw the discs of a simulated table as they lie; those of a real one as the board sees them."""
        table = self.served.table
        if table is None:
            self.draw_at_rest([(disc.x_mm, disc.y_mm) for disc in visible_discs(state)], written(state, None))
            return
        discs, moving = table.discs(), table.moving()
        self.board.light(table.pixels())
        if moving:
            self.board.slide(discs)
        else:
            still = state.link.connected and state.picture.state in ("rest", "asking")
            self.draw_at_rest(discs, written(state, table) if still else [])
        self.moving = moving
        if self.table:
            why = why_no_shove(state, self.table, self.opponent, moving)
            self.hand.show(not why, "" if moving else why, table.in_hand())

    def draw_at_rest(self, discs: list[tuple[float, float]], tags: list[dict[str, Any]]) -> None:
        """Draw discs at rest, unless they are drawn so already."""
        if (discs, tags) != self.drawn or self.moving:
            self.drawn = (discs, tags)
            self.board.show(discs, tags)

    # What a person may do

    def show_buttons(self, state: BoardState) -> None:
        """Buttons for what the rules need now. A new button begins in play/buttons.py."""
        if not self.may_act:
            return
        wanted = offered(state, self.table)
        for row, style in ((self.actions, "main"), (self.tools, "quiet")):
            here = [action for action in wanted if action.style == style]
            if here == self.offered.get(style):
                continue
            self.offered[style] = here
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
            self.show_referee(self.served.state)
        else:
            await self.attempt(lambda: perform(self.served, self.table, action))

    def show_referee(self, state: BoardState) -> None:
        """The referee's menu, if it is open. It replaces the list of turns, so that board and slate stay in view."""
        calls = correctable_calls(self.served.keeper.game()) if self.referee.opened else []
        self.referee.show(state, calls)
        self.main.classes(replace="play ruling" if self.referee.opened else "play")

    async def rule(self, action: Action | None) -> None:
        """Do what a button of the referee's menu says, and say what came of it. None: Cancel was pressed."""
        match = self.served.state.match
        self.show_referee(self.served.state)
        if action and await self.attempt(lambda: perform(self.served, self.table, action)):
            self.tell(after(action, match))

    async def shove(self, x_mm: float, speed_m_s: float, angle_rad: float) -> None:
        """The hand has let go."""
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
            await self.attempt(lambda: self.served.propose(rules.dart(hit)))

    async def attempt(self, work: Callable[[], str]) -> bool:
        """Do work off the event loop. Returns whether it was done; the page says why not."""
        try:
            problem = await run.io_bound(work)
        except UserError as error:
            problem = str(error)
        if problem:
            self.tell(problem)
        return not problem

    def tell(self, text: str) -> None:
        """Show a sentence for a moment. It hangs on the side panel: the button that caused it may be gone by now."""
        with self.side:
            ui.notify(text[:1].upper() + text[1:], position="top", classes="told")


def written(state: BoardState, table: Table | None) -> list[dict[str, Any]]:
    """What is written on the discs, and rings where one goes back."""
    discs = visible_discs(state)
    return tags(discs, state.match, misplaced_discs(state, table)) + gap_tags(discs, state.match)


def build(served: ServedBoard, opponent: Opponent, may_act: bool) -> None:
    """Fill the page."""
    ui.query("body").classes("play-body")
    PlayPage(served, opponent, may_act)
