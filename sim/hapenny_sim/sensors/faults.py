"""What can go wrong with a board's sensors and around it: set on a simulated board at run time."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Faults:
    """Every field may be changed between frames; sensor numbers count Halls, and segments, from 0.

    dead: Halls that read 0; stuck: Hall -> its code; noisy: Hall -> noise in codes; blocked: segments that see nothing;
    dirty: segment -> share of light that still comes through; chalk: segment -> share of full scale that dirt reflects;
    frozen: every Hall goes on with the code it had (the converter, or the scan, stands still);
    common_ut: step of every Hall (steel frame, table moved); slope_ut_mm: the same, growing with y;
    things: more scene rows (scene columns), such as a phone's magnets or a plain coin.
    """

    dead: set[int] = field(default_factory=set)
    stuck: dict[int, int] = field(default_factory=dict)
    noisy: dict[int, float] = field(default_factory=dict)
    blocked: set[int] = field(default_factory=set)
    dirty: dict[int, float] = field(default_factory=dict)
    chalk: dict[int, float] = field(default_factory=dict)
    frozen: bool = False
    common_ut: float = 0.0
    slope_ut_mm: float = 0.0
    rail_sag: float = 0.0
    things: list[np.ndarray] = field(default_factory=list)

    @property
    def of_halls(self) -> bool:
        """Whether any of them changes what single Halls read."""
        return bool(self.things or self.slope_ut_mm or self.dead or self.stuck or self.noisy)

    def clear(self) -> None:
        """Everything whole again."""
        self.__init__()
