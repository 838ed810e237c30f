"""Why the board will not call a disc: between which readings it hesitates, and what keeps it from telling."""

from hapenny.locate import DEGRADED, FOREIGN, SATURATED
from hapenny.rules import geometry
from hapenny_link.conversation import Disc

from hapenny_host.words import brief

SURE = 4.0  # a limit further off than so many standard errors is not what keeps the board from telling
LEAST_MM = 0.1  # no distance is told finer
FLAGS = (
    (DEGRADED, "sensors near it are out"),
    (SATURATED, "a sensor under it is at its limit"),
    (FOREIGN, "its magnet is none of this board's"),
)


def why(disc: Disc) -> str:
    """The two readings and the reason, for people: `bed 4 or line: within 0.1 mm`."""
    return f"{' or '.join(readings(disc.x_mm, disc.y_mm))}: {reason(disc)}"


def reason(disc: Disc) -> str:
    """What keeps the board from telling."""
    for flag, text in FLAGS:
        if disc.flags & flag:
            return text
    near = abs(disc.margin_mm)
    if near > SURE * disc.se_mm + LEAST_MM:
        return "its sensors do not agree"
    return f"within {max(LEAST_MM, near):.1f} mm"


def readings(x_mm: float, y_mm: float) -> tuple[str, str]:
    """What a disc there is called, and what it is called just beyond the nearest limit, in order of the board."""
    x, y = round(100 * x_mm), round(100 * y_mm)
    steps = [
        (dx, dy) for far in range(0, geometry.CLEAR_HMM, 5) for dx, dy in ((0, far), (0, -far), (far, 0), (-far, 0))
    ]
    here = geometry.verdict(x, y)
    found = (geometry.verdict(x + dx, y + dy) for dx, dy in steps)
    other = next((verdict for verdict in found if verdict != here), here)
    return tuple(worded(verdict) for verdict in sorted((here, other)))  # type: ignore[return-value]


def worded(verdict: int) -> str:
    """A verdict in the middle of a sentence."""
    return f"bed {verdict}" if verdict < geometry.LINE else brief(verdict)
