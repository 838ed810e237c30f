"""The presets and options of a match in words, under the names that docs/rules.md gives them."""

from typing import Any

from hapenny.desktop import agree
from hapenny.rules import setup

# preset -> (what it is, the fewest and the most sides)
PRESETS = {
    "encyclopedia": ("three in every bed", 2, 2),
    "pub": ("lifts, extras to each opponent", 2, 8),
    "quick": ("one in every bed", 2, 2),
    "progressive": ("scoring discs are shoved again", 2, 2),
    "pushpenny": ("three discs a turn", 2, 2),
    "darts": ("close 1 to 9, three hits each", 2, 8),
    "timed": ("most points in so many turns", 2, 8),
}

# option -> (its label, value -> what the value means); without values an option takes a number, `beds` several
OPTIONS: dict[str, tuple[str, dict[Any, str]]] = {
    "target": ("Marks to fill a bed", {}),
    "beds": ("Beds in play", {}),
    "shoves": ("Discs, or darts, a turn", {}),
    "turns": ("Turns a side", {}),
    "order": (
        "Who begins",
        {"given": "as listed", "nine_bed": "nearest the middle of bed 9", "bull": "nearest the bull"},
    ),
    "short": (
        "Short of the first line",
        {"retake": "may be taken back and shoved again", "one_attempt": "stays where it stops"},
    ),
    "wide": ("Over a side line", {"dead": "comes off", "unscored": "stays, scores nothing"}),
    "stack": ("One disc on another", {"void": "scores nothing", "referee": "people decide"}),
    "lifts": ("Raised lifts", {True: "forbid the score", False: "there are none"}),
    "excess": (
        "Extras go to",
        {
            "opponent": "the opponent",
            "each": "each opponent",
            "next": "the next player",
            "neediest": "whoever needs it most",
            "chooser": "whom the shover chooses",
        },
    ),
    "claim": ("Extras are", {"auto": "marked at once", "claim": "to be claimed"}),
    "touch_window": (
        "Touching a played disc loses the turn",
        {"until_fifth": "until the last shove", "until_recorded": "until the score is up"},
    ),
    "doubt": ("Too close to call", {"ask": "people decide", "no_score": "scores nothing"}),
}
HANDICAPS = {0: "none"} | {n: f"handicap {n}" for n in range(1, 13)} | {-n: f"plus {n}" for n in range(1, 10)}


def preset_choices() -> dict[str, str]:
    """The presets to choose from, in words."""
    return {name: f"{name.capitalize()} – {text}" for name, (text, _, _) in PRESETS.items()}


def usual(preset: str) -> dict[str, Any]:
    """The options of a preset, with the values that it sets."""
    opts = agree.DEFAULTS[setup.PRESETS.index(preset)]
    found: dict[str, Any] = {}
    for name in OPTIONS:
        place, values = agree.CHOICES[name]
        if not agree.misfit(setup.PRESETS.index(preset), [name]):
            found[name] = values[opts[place]] if OPTIONS[name][1] else opts[place]
    return found | {"beds": list(range(1, 10)), "turns": setup.turns(opts)}


def choices(preset: str, name: str) -> dict[Any, str]:
    """The values that an option may have with a preset, in words."""
    if not OPTIONS[name][1]:
        low, high = agree.CHOICES[name][1] or (1, 9)
        words = {0: "until won"}
        numbers = range(low, high + 1) if preset != "timed" else range(max(low, 1), high + 1)
        return {number: words.get(number, str(number)) for number in numbers}
    odd = ("nine_bed",) if preset == "darts" else ("bull",)
    words = {True: "yes", False: "no"}
    values = {value: text for value, text in OPTIONS[name][1].items() if value not in odd}
    return {value: f"{words.get(value, value)} – {text}" for value, text in values.items()}


def changed(preset: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """The options that were chosen to differ from the preset."""
    common = usual(preset)
    return {name: value for name, value in chosen.items() if name in common and value != common[name]}
