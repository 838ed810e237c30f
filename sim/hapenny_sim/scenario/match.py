"""The match of a scenario: its event, and the way between players' names and the engine's numbers."""

from dataclasses import dataclass

from hapenny.desktop import agree

NOBODY = 254  # a player number that no match has
NO_SIDE = 15  # a side number that no match has

Marks = dict[int, list[int]]


@dataclass(frozen=True)
class Match:
    """Sides by players' names and the START event they agreed on."""

    sides: tuple[tuple[str, ...], ...]
    preset: str
    options: dict[str, object]
    explicit: bool
    handicaps: tuple[int, ...]
    marks: Marks

    @property
    def start(self) -> tuple:
        """The event that begins it. ValueError if such a match cannot be."""
        return agree.start(
            self.preset,
            [len(side) for side in self.sides],
            self.options,
            list(self.handicaps),
            self.marks,
            self.explicit,
        )

    @property
    def players(self) -> dict[str, int]:
        """The engine's number of each player."""
        return {name: side * 2 + seat for side, names in enumerate(self.sides) for seat, name in enumerate(names)}

    def player(self, name: str) -> int:
        return self.players.get(name, NOBODY)

    def side(self, name: str) -> int:
        """The side of a player, NO_SIDE if there is none of that name."""
        return self.players[name] // 2 if name in self.players else NO_SIDE

    def player_name(self, number: int) -> str:
        """The name of a player by number, '' for none (-1)."""
        return self.sides[number // 2][number % 2] if number >= 0 else ""

    def side_name(self, side: int) -> str:
        """The first name of a side, '' for none (-1)."""
        return self.sides[side][0] if side >= 0 else ""
