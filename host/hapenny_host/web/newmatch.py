"""The dialog on /play that starts a match: the preset, and who plays."""

from collections.abc import Callable
from typing import Any

from nicegui import run, ui

from hapenny_host.hall import Hall
from hapenny_host.web.actions import ORDINALS

# preset -> (its name, the fewest and the most sides)
PRESETS = {
    "encyclopedia": ("Classic – three in every bed", 2, 2),
    "pub": ("Pub rules – lifts, extras to each opponent", 2, 8),
    "quick": ("Quick – one in every bed", 2, 2),
    "progressive": ("Progressive – scoring discs are shoved again", 2, 2),
    "pushpenny": ("Pushpenny – three discs a turn", 2, 2),
    "darts": ("Darts – close 1 to 9, three hits each", 2, 8),
    "timed": ("Timed – most points in ten turns", 2, 8),
}
# who gets what is hit beyond need in darts
EXCESS = {"next": "The next thrower", "neediest": "Whoever needs it most", "chooser": "Whom the thrower chooses"}
MOST_NAME = 14


class NewMatch:
    """Asks, then has the board start the match; `tell` says what is wrong."""

    def __init__(self, hall: Hall, tell: Callable[[str], None]) -> None:
        self.hall = hall
        self.tell = tell
        self.fields: list[Any] = []
        with ui.dialog().props("no-refocus") as self.dialog, ui.card().classes("newmatch"):
            ui.label("A new match").classes("newmatch-title")
            rules = {preset: text for preset, (text, _, _) in PRESETS.items()}
            self.preset = ui.select(rules, value="encyclopedia", label="Rules")
            self.preset.on_value_change(self.arrange).classes("newmatch-wide").props("outlined dark")
            self.excess = ui.select(EXCESS, value="next", label="Extra hits go to")
            self.excess.classes("newmatch-wide").props("outlined dark")
            self.names = ui.element("div").classes("newmatch-names")
            ui.label("Two names with a & between them play as a pair.").classes("newmatch-hint")
            with ui.element("div").classes("newmatch-buttons"):
                self.more = ui.button("Another side", color=None, on_click=lambda: self.add(""))
                cancel = ui.button("Cancel", color=None, on_click=self.dialog.close)
                begin = ui.button("Start", color=None, on_click=self.start)
        for button, style in ((self.more, "quiet"), (cancel, "quiet"), (begin, "main")):
            button.classes(style).props("no-caps unelevated")
        for name in ("Ann", "Bob"):
            self.add(name)

    def open(self) -> None:
        """Show the dialog with the names of the match before."""
        sides = self.hall.now.match.sides
        if sides:
            self.names.clear()
            self.fields.clear()
            for side in sides:
                self.add(" & ".join(side.names))
        self.dialog.open()

    def add(self, name: str) -> None:
        """One more side."""
        place = ORDINALS[len(self.fields)].capitalize()
        with self.names:
            field = ui.input(place, value=name).props(f"outlined dark maxlength={2 * MOST_NAME + 3}")
            field.on("keydown.enter", self.start)
        self.fields.append(field)
        self.arrange()

    def arrange(self) -> None:
        """As many sides as the preset allows."""
        most = PRESETS[self.preset.value][2]
        while len(self.fields) > most:
            self.fields.pop().delete()
        self.more.set_visibility(len(self.fields) < most)
        self.excess.set_visibility(self.preset.value == "darts")

    async def start(self) -> None:
        """Have the board start it."""
        names = [sided(field.value) for field in self.fields if field.value.strip()]
        if len(names) < 2:
            self.tell("A match needs two sides: write a name for each.")
            return
        options = {"excess": self.excess.value} if self.preset.value == "darts" else None
        problem = await run.io_bound(self.hall.start_match, self.preset.value, names, options)
        if problem:
            self.tell(problem)
        else:
            self.dialog.close()


def sided(text: str) -> list[str]:
    """The one or two players that a field names."""
    names = [" ".join(part.split())[:MOST_NAME] for part in text.split("&")]
    return [name for name in names if name][:2]
