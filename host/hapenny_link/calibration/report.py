"""What a board says about its calibration and its sensors, in sentences."""

import time
from datetime import date, timedelta

from hapenny.sensing.calibration import LEVELS
from rich.console import Console

from hapenny_link.calibration.client import FROZEN, CalibrationClient
from hapenny_link.errors import UserError

DAY_ZERO = date(2000, 1, 1)  # boards count days from here
ANSWER_S = 0.5  # by then the board has said everything
MOST_NAMED = 7  # sensors that a board names at once
# What the stated error of places means for play: up to so many hundredths of a millimetre
QUALITIES = (
    (9, "which is as good as it gets"),
    (12, "which is good"),
    (999, "which is poor: 'hapenny calibrate' again, with a straightedge that is not steel"),
)


def print_report(client: CalibrationClient, console: Console) -> None:
    """Print how the board is calibrated, where it calls nothing, and every faulty sensor.

    UserError: its firmware does not tell.
    """
    client.log_lines.clear()
    client.session.command("health")
    time.sleep(ANSWER_S)
    told = [line for line in client.log_lines if line.startswith("calibration ")]
    faulty = [line for line in client.log_lines if line not in told]
    if not told:
        raise UserError("the board says nothing of itself; 'hapenny flash' gives it firmware that does")
    console.print(calibration_sentence(*map(int, told[0].split()[1:])))
    text = client.status.health
    if client.status.state == "frozen":
        console.print(FROZEN)
    elif text == "not_bare":
        console.print("the sensors have no zero yet: take every disc off the board")
    elif not faulty:
        console.print("every sensor is whole")
    elif text.startswith("no call"):
        console.print(f"{text}: the board asks people about every disc there until the sensors are mended")
    for line in faulty:
        console.print(line)
    if len(faulty) == MOST_NAMED:
        console.print(f"only {MOST_NAMED} are named")


def calibration_sentence(level: int, day: int, place_hmm: int) -> str:
    """When a board was calibrated, how well, and what would make it better."""
    if not level:
        return "not calibrated: it plays, but asks more often; 'hapenny calibrate' takes half an hour"
    when = (DAY_ZERO + timedelta(day)).strftime("on %d %B %Y") if day else "by its maker"
    words = [word for limit, word in QUALITIES if place_hmm <= limit]
    return f"{LEVELS[level]} {when}: every sensor's place is known to {place_hmm / 100:.2f} mm, {words[0]}"
