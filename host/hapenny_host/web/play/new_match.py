"""The dialog on /play that starts a match: the rules, who plays, and under More every option."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nicegui import run, ui

from hapenny_host.boards.served import ServedBoard
from hapenny_host.match.view import MatchView
from hapenny_host.web.play.buttons import ORDINALS
from hapenny_host.web.play.options import HANDICAPS, OPTIONS, PRESETS, changed, choices, preset_choices, usual

# who gets hits in darts that the thrower does not need
EXCESS = {"next": "The next thrower", "neediest": "Whoever needs it most", "chooser": "Whom the thrower chooses"}
LONGEST_NAME = 14  # letters that the slate has room for


@dataclass(frozen=True)
class Fields:
    """The fields of one side: who plays, and with what handicap."""

    name: Any
    handicap: Any


class NewMatch:
    """Asks, then has the board start the match. `tell` shows what is wrong."""

    def __init__(self, served: ServedBoard, tell: Callable[[str], None]) -> None:
        self.served = served
        self.tell = tell
        self.fields: list[Fields] = []
        self.chosen: dict[str, Any] = {}
        with ui.dialog().props("no-refocus") as self.dialog, ui.card().classes("newmatch"):
            ui.label("A new match").classes("newmatch-title")
            self.preset = ui.select(preset_choices(), value="encyclopedia", label="Rules")
            self.preset.on_value_change(self.agree).classes("newmatch-wide").props("outlined dark")
            self.excess = ui.select(EXCESS, value="next", label="Extra hits go to")
            self.excess.classes("newmatch-wide").props("outlined dark")
            self.names = ui.element("div").classes("newmatch-names")
            ui.label(
                f"For a pair, write two names with & between them. A name has up to {LONGEST_NAME} letters."
            ).classes("newmatch-hint")
            with ui.expansion("More").classes("newmatch-more"):
                self.handicaps = ui.element("div").classes("newmatch-names")
                self.options = ui.element("div").classes("newmatch-names")
            with ui.element("div").classes("newmatch-buttons"):
                self.more = button("Another side", lambda: self.add(""))
                button("Cancel", self.dialog.close)
                button("Start", self.start, "main")
        self.ending = Ending()
        for name in ("Ann", "Bob"):
            self.add(name)
        self.agree()

    def open(self) -> None:
        """Show the dialog with the names of the match before."""
        sides = self.served.state.match.sides
        if sides:
            self.names.clear()
            self.handicaps.clear()
            self.fields.clear()
            for side in sides:
                self.add(" & ".join(side.names))
        self.dialog.open()

    def add(self, name: str) -> None:
        """One more side."""
        place = ORDINALS[len(self.fields)].capitalize()
        with self.names:
            field = ui.input(place, value=name, validation=too_long)
            field.props(f"outlined dark hide-bottom-space maxlength={2 * LONGEST_NAME + 3}")
            field.on("keydown.enter", self.start)
        with self.handicaps:
            handicap = ui.select(HANDICAPS, value=0, label=f"{place}: handicap").props("outlined dark options-dense")
        self.fields.append(Fields(field, handicap))
        self.arrange()

    def arrange(self) -> None:
        """Show as many sides as the preset allows."""
        most = PRESETS[self.preset.value][2]
        while len(self.fields) > most:
            last = self.fields.pop()
            last.name.delete()
            last.handicap.delete()
        self.more.set_visibility(len(self.fields) < most)
        self.excess.set_visibility(self.preset.value == "darts")

    def agree(self) -> None:
        """Show the options as the chosen preset has them."""
        self.arrange()
        preset = self.preset.value
        self.options.clear()
        self.chosen = {}
        with self.options:
            for name, value in usual(preset).items():
                if not (preset == "darts" and name == "excess"):
                    many = name == "beds"
                    field = ui.select(choices(preset, name), value=value, label=OPTIONS[name][0], multiple=many)
                    self.chosen[name] = field.props("outlined dark options-dense")

    async def start(self) -> None:
        """Have the board start the match."""
        playing = [fields for fields in self.fields if fields.name.value.strip()]
        names = [sided(fields.name.value) for fields in playing]
        wrong = next(filter(None, (too_long(fields.name.value) for fields in playing)), "")
        if wrong:
            self.tell(wrong)
            return
        if len(names) < 2:
            self.tell("A match needs two sides: write a name for each.")
            return
        if not await self.ending.agreed(self.served.state.match):
            return
        preset = self.preset.value
        options = changed(preset, {name: field.value for name, field in self.chosen.items()})
        if preset == "darts":
            options["excess"] = self.excess.value
        handicaps = [fields.handicap.value for fields in playing]
        problem = await run.io_bound(self.served.start_match, preset, names, options, handicaps)
        if problem:
            self.tell(problem)
        else:
            self.dialog.close()


class Ending:
    """Asks before a new match ends the one being played."""

    def __init__(self) -> None:
        with ui.dialog().props("no-refocus persistent") as self.dialog, ui.card().classes("newmatch ending"):
            self.question = ui.label().classes("newmatch-title")
            ui.label("It ends without a winner. This cannot be undone.").classes("newmatch-hint")
            with ui.element("div").classes("newmatch-buttons"):
                button("Play on", lambda: self.dialog.submit(False))
                button("End it and start", lambda: self.dialog.submit(True), "main")

    async def agreed(self, match: MatchView) -> bool:
        """Whether a new match may begin: at once if none is being played."""
        if not match.log or match.winner >= 0:
            return True
        self.question.text = f"{' against '.join(' & '.join(side.names) for side in match.sides)} is not over"
        return bool(await self.dialog)


def button(text: str, do: Callable[[], Any], style: str = "quiet") -> Any:
    """A button of these dialogs."""
    return ui.button(text, color=None, on_click=do).classes(style).props("no-caps unelevated")


def sided(text: str) -> list[str]:
    """The one or two players named in a field."""
    names = [" ".join(part.split()) for part in text.split("&")]
    return [name for name in names if name][:2]


def too_long(text: str) -> str | None:
    """What is wrong with the names in a field, None if nothing. Nobody could read a longer name on the slate."""
    long = [name for name in sided(text) if len(name) > LONGEST_NAME]
    return f"{long[0]} has {len(long[0])} letters. Shorten it: a name has up to {LONGEST_NAME}" if long else None
