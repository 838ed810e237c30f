"""The slate: names, marks and calls in chalk."""

from typing import Any

from nicegui.element import Element

from hapenny_host.match.view import MatchView


class Slate(Element, component="slate.js", dependencies=["chalk.js"]):
    """The slate with names, marks and calls; `mode` is `tv` (with room for a board at its right) or `card`."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self._props["mode"] = mode

    def show(self, match: MatchView, trouble: str, alarm: str) -> None:
        """The match, and what is wrong with the board ("" if it is there) or the store."""
        props: dict[str, Any] = {"view": match.plain(), "trouble": trouble, "alarm": alarm}
        if any(self._props.get(key) != value for key, value in props.items()):
            self._props.update(props)
            self.update()
