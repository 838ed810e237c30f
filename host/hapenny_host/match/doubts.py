"""Why the board does not call a disc: the two verdicts it may have, and what keeps the board from telling."""

from collections.abc import Sequence
from math import hypot

from hapenny.finding.follow import PAIR
from hapenny.finding.locate import DEGRADED, FOREIGN, PAIR_SIDES, SATURATED
from hapenny.rules import geometry
from hapenny_link.conversation import Disc

from hapenny_host.match.words import brief

SURE = 4.0  # standard errors: a limit further off than this is not the reason
LEAST_MM = 0.1  # no distance is told finer
LEAST_IMAGE_MM = 1.0  # people see a disc this near to its mirror image as one place
SHARE = (0.1, 0.6)  # standard error over distance to the mirror image, if that image is 1 to 50 % likely
MIDDLE_HMM = geometry.FIRST_LINE_HMM + geometry.LINE_PITCH_HMM // 2  # of bed 1; each bed has its Halls there
FLAGS = (
    (DEGRADED, "sensors near it are out"),
    (SATURATED, "a sensor under it is at its limit"),
    (FOREIGN, "its magnet is not one of this board's"),
)


def why(disc: Disc, discs: Sequence[Disc] = ()) -> str:
    """Both verdicts and the reason: `bed 4 or line: within 0.1 mm`. `discs` are all discs that lie there."""
    return f"{' or '.join(both_verdicts(disc.x_mm, disc.y_mm))}: {reason(disc, discs)}"


def reason(disc: Disc, discs: Sequence[Disc] = ()) -> str:
    """What keeps the board from telling."""
    for flag, text in FLAGS:
        if disc.flags & flag:
            return text
    near = abs(disc.margin_mm)
    if near > SURE * disc.se_mm + LEAST_MM:
        return "its sensors do not agree"
    apart = mirrored_mm(disc, discs)
    if apart:
        where = "farther away" if apart > 0 else "nearer"
        return f"within {max(LEAST_MM, near):.1f} mm, or it lies {abs(apart):.0f} mm {where}"
    return f"within {max(LEAST_MM, near, disc.se_mm):.1f} mm"


def mirrored_mm(disc: Disc, discs: Sequence[Disc]) -> float:
    """How much farther away (along y, mm) the disc may lie instead, mirrored at its row of Halls; 0: it does not.

    Beside another disc, the Halls cannot always tell on which side of their row a disc lies. The board then widens the
    standard error by the likelihood of the mirror image. Nothing else that it sends tells the host.
    """
    row = MIDDLE_HMM + geometry.LINE_PITCH_HMM * round((100 * disc.y_mm - MIDDLE_HMM) / geometry.LINE_PITCH_HMM)
    apart = 2 * (row / 100 - disc.y_mm)
    beside = any(hypot(other.x_mm - disc.x_mm, other.y_mm - disc.y_mm) < PAIR / 100 for other in discs if other != disc)
    share = disc.se_mm / abs(apart) if abs(apart) > LEAST_IMAGE_MM else 0.0
    image = beside and not disc.flags and abs(apart) < 2 * PAIR_SIDES / 100 and SHARE[0] < share < SHARE[1]
    return apart if image else 0.0


def both_verdicts(x_mm: float, y_mm: float) -> tuple[str, str]:
    """The verdict of a disc there, and the one just beyond the nearest limit, in the order of the board."""
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
