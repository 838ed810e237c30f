"""Random matches for the rules: what may be agreed, and steps that are mostly, not always, allowed."""

from __future__ import annotations

from random import Random
from typing import Any

from plain_rules import Plain

COLUMNS = [4600 + 2600 * n for n in range(11)]
HEIGHTS = (
    [10160 + 3175 * n + 1587 for n in range(9)] * 4  # in the beds
    + [10160 + 3175 * n for n in range(10)]  # on the lines
    + [8850, 8851, 5000, 5000, 10160, 11470, 11469, 40044, 40045, 45000, 38735]  # limits, short, over
)
DARTS = ["1", "D1", "T1", "2", "D2", "T3", "4", "T5", "6", "D7", "8", "9", "T9", "20", "D12", "bull", "outer", "miss"]
NAMES = ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"]


def random_match(rng: Random) -> dict[str, Any]:
    """What the makers of `Plain` and of a scenario's Match take, always a match that can be."""
    preset = rng.choice(["encyclopedia", "pub", "pub", "darts", "darts", "progressive", "quick", "timed", "pushpenny"])
    free = preset in ("pub", "darts", "timed")
    count = rng.choice([2, 3, 3, 4, 8]) if free else 2
    sides = [[NAMES[n], NAMES[n] + "2"] if rng.random() < 0.3 else [NAMES[n]] for n in range(count)]
    options = random_options(rng, preset)
    target = options.get("target", 1 if preset == "quick" else 3)
    handicaps = {}
    start: dict[str, list[int]] = {}
    beds = options.get("beds", list(range(1, 10)))
    for side in sides:
        if rng.random() < 0.3:
            most = 12 if preset == "timed" else min(12, target * len(beds) - 1)
            handicaps[side[0]] = rng.randint(1, most) if most else 0
        elif rng.random() < 0.2 and preset != "timed":
            handicaps[side[0]] = -rng.randint(1, 9)
        if rng.random() < 0.6 and preset != "timed":
            start[side[0]] = nearly_full(rng, target, handicaps.get(side[0], 0), beds)
    return {
        "sides": sides,
        "preset": preset,
        "options": options,
        "handicaps": handicaps,
        "start": start,
        "explicit": rng.random() < 0.25,
    }


def nearly_full(rng: Random, target: int, handicap: int, beds: list[int]) -> list[int]:
    """Marks that leave one to a few to win, so that the end of a game is often played."""
    row = [(target + (bed <= -handicap)) if bed in beds else 0 for bed in range(1, 10)]
    for _ in range(rng.choice([1, 1, 2, 2, 3, 5, 9])):
        low = [n for n in range(9) if row[n]]
        if low:
            row[rng.choice(low)] -= 1
    if all(row[bed - 1] == target + (bed <= -handicap) for bed in beds):
        row[beds[0] - 1] -= 1
    return row


def random_options(rng: Random, preset: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    values: dict[str, list[Any]] = {
        "short": ["retake", "one_attempt"],
        "wide": ["dead", "unscored"],
        "stack": ["void", "referee"],
        "lifts": [False, True],
        "excess": ["opponent", "each", "next", "neediest", "chooser", "chooser"],
        "touch_window": ["until_fifth", "until_recorded"],
        "target": [1, 2, 3, 3, 4],
        "beds": [list(range(1, 10)), [1, 2, 3], [9], [1, 5, 9]],
        "shoves": [1, 2, 3, 5],
        "doubt": ["ask", "no_score"],
    }
    for name, choices in values.items():
        disc_only = name in ("short", "wide", "stack", "lifts", "touch_window", "doubt")
        if rng.random() < 0.4 and not (preset == "darts" and disc_only):
            options[name] = rng.choice(choices)
    usual = "next" if preset == "darts" else "each"
    if options.get("excess", usual) in ("opponent", "each") and rng.random() < 0.4:
        options["claim"] = "claim"
    if rng.random() < 0.8:
        options["order"] = "given"
    if preset == "timed":
        options["turns"] = rng.randint(1, 3)
    elif rng.random() < 0.4:
        options["turns"] = rng.choice([0, 1, 1, 2, 3])
    return options


def random_step(rng: Random, plain: Plain) -> tuple[str, dict[str, Any]]:
    """A step that is likely in the state of `plain`."""
    tally = plain.tally()
    if rng.random() < 0.12:
        return wild_step(rng, plain)
    if tally.winner:
        return rng.choice([("clear", {}), ("undo", {}), overrule(rng, plain), correct(rng, plain), shove(rng, plain)])
    if plain.before_trouble is not None and rng.random() < 0.8:
        return "choose", {"choice": rng.choice(["replay", "replace"])}
    if tally.pending and rng.random() < 0.8:
        able = [s for s in plain.names if tally.can_take(s, tally.pending[0]) and s != tally.thrower]
        return "give", {"to": rng.choice(able or plain.names), "bed": tally.pending[0]}
    claims = [(s, bed) for s in plain.names for bed in range(1, 10) if tally.offers[s][bed]]
    if claims and rng.random() < 0.3:
        side, bed = rng.choice(claims)
        return "claim", {"by": side, "bed": bed}
    if plain.nine is not None and rng.random() < 0.9:
        return dart(rng, plain) if plain.preset == "darts" else shove(rng, plain, "nine", plain.player(tally))
    if plain.preset == "darts":
        return dart(rng, plain)
    if plain.left_over == "turn" and rng.random() < 0.9:
        return "clear", {}
    if plain.waiting() and rng.random() < 0.9:
        return waiting_step(rng, plain)
    if plain.may_retake and rng.random() < 0.4:
        return "retake", {}
    return shove(rng, plain)


def waiting_step(rng: Random, plain: Plain) -> tuple[str, dict[str, Any]]:
    open_cases = [i + 1 for i in range(len(plain.lying)) if plain.open_case(plain.lying, i)]
    if open_cases and rng.random() < 0.7:
        return "decide", {"disc": rng.choice(open_cases), "scores": rng.random() < 0.6}
    return rng.choice([("record", {}), ("clear", {}), ("retake", {}), ("record", {})])


def wild_step(rng: Random, plain: Plain) -> tuple[str, dict[str, Any]]:
    """Anything at all."""
    anyone = [name for members in plain.members.values() for name in members] + ["Zed"]
    player = rng.choice(anyone)
    return rng.choice(
        [
            ("undo", {}),
            ("undo", {}),
            ("power_cut", {}),
            ("attempt", {"by": player} if rng.random() < 0.3 else {}),
            ("retake", {}),
            ("clear", {}),
            ("record", {}),
            ("touch", {"by": player} if rng.random() < 0.5 else {}),
            ("touch", {"by": player, "discs": disturbed(rng, plain)}),
            ("damp", {"by": player}),
            ("interfere", {"discs": disturbed(rng, plain)}),
            ("interfere", {"discs": disturbed(rng, plain)}),
            ("choose", {"choice": "place", "place": rng.randint(0, 4)}),
            ("choose", {"choice": rng.choice(["replay", "replace"])}),
            ("claim", {"by": player, "bed": rng.randint(1, 9)}),
            ("give", {"to": player, "bed": rng.randint(1, 9)}),
            ("decide", {"disc": rng.randint(1, 6), "scores": rng.random() < 0.5}),
            overrule(rng, plain),
            correct(rng, plain),
            correct(rng, plain),
            ("options", {"set": random_options(rng, plain.preset)}),
            shove(rng, plain, "shove", player),
            shove(rng, plain, "shove", player),
            shove(rng, plain, "nine", player),
            dart(rng, plain, player),
        ]
    )


def overrule(rng: Random, plain: Plain) -> tuple[str, dict[str, Any]]:
    kind = rng.randint(0, 3)
    if kind == 0:
        return "overrule", {"winner": rng.choice([*plain.names, "Zed"])}
    if kind == 1:
        return "overrule", {"void": True}
    rows = {}
    for side in rng.sample(plain.names, rng.randint(1, 2)):
        rows[side] = [rng.randint(max(0, plain.target(side, bed) - 1), plain.target(side, bed)) for bed in range(1, 10)]
    if rng.random() < 0.1:
        rows[plain.names[0]] = [9] * 9
    return "overrule", {"marks": rows}


def correct(rng: Random, plain: Plain) -> tuple[str, dict[str, Any]]:
    turns = sum(entry["what"] == "turn" for entry in plain.story)
    discs = [disc(rng, column) for column in rng.sample(COLUMNS, rng.randint(0, plain.options["shoves"]))]
    return "correct", {"turn_no": rng.randint(1, turns + 1), "discs": flagged(rng, discs)}


def dart(rng: Random, plain: Plain, by: str = "") -> tuple[str, dict[str, Any]]:
    keys: dict[str, Any] = {"hit": rng.choice(DARTS)}
    return "dart", keys | ({"by": by} if by else {})


def shove(rng: Random, plain: Plain, do: str = "shove", by: str = "") -> tuple[str, dict[str, Any]]:
    old = [] if plain.left_over == "nine" else plain.lying
    discs = disturbed(rng, plain, old) if rng.random() < 0.4 else fresh(old)
    free = [x for x in COLUMNS if all(abs(x - d["x"]) >= 2538 for d in discs)]
    gone = rng.random() < 0.12 or not free
    if not gone:
        discs = flagged(rng, [*discs, disc(rng, rng.choice(free))])
        if rng.random() < 0.03:
            discs = [*discs, disc(rng, rng.choice(COLUMNS))]
    keys: dict[str, Any] = {"discs": discs}
    if by:
        keys["by"] = by
    if gone:
        keys["gone"] = True
    if rng.random() < 0.15:
        keys["hit"] = [n for n in range(1, len(old) + 1) if rng.random() < 0.4]
        if rng.random() < 0.05:
            keys["hit"].append(len(old) + 1)
    return do, keys


def disc(rng: Random, x: int) -> dict[str, Any]:
    if rng.random() < 0.05:
        x = rng.choice([4484, 4485, 32345, 32346, 1000, 36000, 36831])
    return {
        "x": x,
        "y": rng.choice(HEIGHTS),
        "on": [],
        "lift": rng.random() < 0.05,
        "doubt": rng.random() < 0.08,
    }


def fresh(discs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same discs as the sensors would list them again."""
    return [{key: d[key] for key in ("x", "y", "lift", "doubt")} | {"on": list(d["on"])} for d in discs]


def flagged(rng: Random, discs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Now and then the last disc lies on another."""
    if len(discs) > 1 and rng.random() < 0.12:
        below = rng.randrange(len(discs) - 1)
        discs[-1]["on"] = [below + 1]
        discs[-1]["x"] = min(discs[below]["x"] + rng.choice([0, 700, 1500]), 36830)
        if rng.random() < 0.7:
            discs[-1]["y"] = discs[below]["y"]
    return discs


def disturbed(rng: Random, plain: Plain, discs: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    """The discs lying with some of them moved or missing."""
    found = []
    for old in fresh(plain.lying if discs is None else discs):
        luck = rng.random()
        if luck < 0.3:
            new = disc(rng, old["x"])
            found.append(new)
        elif luck < 0.92:
            found.append(old)
    for each in found:
        each["on"] = [n for n in each["on"] if n <= len(found) and found[n - 1] is not each]
    if rng.random() < 0.2:
        rng.shuffle(found)
        for each in found:
            each["on"] = []
    return found
