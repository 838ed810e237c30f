"""The slate, where the score is shown: names, marks and calls in chalk."""

from typing import Any

from nicegui.element import Element

from hapenny_host.match.view import MatchView


class Slate(Element, component="slate.js", dependencies=["chalk.js"]):
    """The score of a match. `mode` is `tv` (fills the screen, room for a board at its right) or `card`."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self._props["mode"] = mode

    def show(self, match: MatchView, trouble: str, alarm: str) -> None:
        """The match; why there is no board, "" if there is one; what stops play, "" if nothing does."""
        props: dict[str, Any] = {"view": match.plain(), "trouble": trouble, "alarm": alarm}
        if any(self._props.get(key) != value for key, value in props.items()):
            self._props.update(props)
            self.update()
