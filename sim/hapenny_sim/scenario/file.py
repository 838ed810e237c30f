"""Scenario files: from TOML to steps, or one sentence that says what is wrong and where."""

import re
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from hapenny.desktop import agree
from hapenny.rules import setup

from hapenny_sim.scenario import reading
from hapenny_sim.scenario.match import Match
from hapenny_sim.scenario.reading import Place, flag, hundredths, listing, one_of, table, text, whole
from hapenny_sim.scenario.steps import EXPECT, REFUSALS, STEPS

MANY = 1 << 16


@dataclass(frozen=True)
class Step:
    """One thing that happens, and what must follow."""

    n: int
    do: str
    keys: dict[str, Any]
    expect: dict[str, Any]
    refused: str


@dataclass(frozen=True)
class Scenario:
    """A valid scenario file."""

    file: str
    title: str
    points: tuple[str, ...]
    match: Match
    steps: tuple[Step, ...]


def load(path: Path) -> Scenario:
    """Read and check one file. UserError names file, line or key, and what was wrong."""
    place = Place(str(path))
    try:
        source = path.read_text(encoding="utf-8")
        data = tomllib.loads(source, parse_float=Decimal)
    except OSError as error:
        raise place.wrong(f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise place.wrong("is not UTF-8 text") from error
    except (tomllib.TOMLDecodeError, ArithmeticError) as error:
        raise place.wrong(f"is not valid TOML: {error}") from error
    return scenario(data, place, reading.step_lines(source))


def scenario(data: dict[str, Any], place: Place, lines: list[int]) -> Scenario:
    keys = {
        "schema": one_of(1),
        "title": text,
        "points": listing(point),
        "match": match,
        "step": lambda value, _: value,
    }
    got = table(data, place, keys, needed=("schema", "match", "step"))
    raw = got["step"]
    if not isinstance(raw, list) or not raw:
        raise place.wrong("needs at least one [[step]]")
    steps = []
    for n, value in enumerate(raw, 1):
        line = lines[n - 1] if len(lines) == len(raw) else None
        steps.append(step(n, value, Place(place.file, f"step {n}", line), got["match"]))
    check_options(got["match"], steps, place)
    return Scenario(
        place.file, got.get("title", Path(place.file).stem), tuple(got.get("points", [])), got["match"], tuple(steps)
    )


def point(value: Any, place: Place) -> str:
    found = re.fullmatch(r"(\d+)[a-c]?", text(value, place))
    if not found or not 1 <= int(found[1]) <= 32:
        raise place.wrong('must be the number of a point in RULES.md, such as "12"')
    return value


# [match]


def match(value: Any, place: Place) -> Match:
    keys = {
        "preset": one_of(*setup.PRESETS),
        "sides": sides,
        "options": options,
        "start": lambda found, _: found,
        "handicap": lambda found, _: found,
        "record": one_of("auto", "explicit"),
    }
    got = table(value, place, keys, needed=("preset", "sides"))
    firsts = {names[0]: side for side, names in enumerate(got["sides"])}
    by_side = {name: listing(whole(0, 10), 9) for name in firsts}
    marks = table(got.get("start", {}), place.at("start"), by_side)
    codes = table(got.get("handicap", {}), place.at("handicap"), dict.fromkeys(firsts, handicap))
    found = Match(
        sides=got["sides"],
        preset=got["preset"],
        options=got.get("options", {}),
        explicit=got.get("record") == "explicit",
        handicaps=tuple(codes.get(name, 0) for name in firsts),
        marks={firsts[name]: row for name, row in marks.items()},
    )
    try:
        found.start  # noqa: B018  (built to be checked)
    except ValueError as error:
        raise place.wrong(str(error)) from error
    return found


def sides(value: Any, place: Place) -> tuple[tuple[str, ...], ...]:
    names = listing(listing(text))(value, place)
    flat = [name for side in names for name in side]
    if not 2 <= len(names) <= 8 or any(len(side) not in (1, 2) for side in names):
        raise place.wrong("must be 2 to 8 sides of one or two names")
    if len(set(flat)) != len(flat) or not all(flat):
        raise place.wrong("every player needs a name of their own")
    return tuple(tuple(side) for side in names)


def options(value: Any, place: Place) -> dict[str, Any]:
    """Options as the engine takes them; `beds` also as a range such as "1..3", or as 3 for the first three."""
    if not isinstance(value, dict):
        raise place.wrong("must be a table")
    found = {key: beds(item, place.at(key)) if key == "beds" else item for key, item in value.items()}
    try:
        agree.options(found)
    except ValueError as error:
        raise place.wrong(str(error)) from error
    return found


def beds(value: Any, place: Place) -> list[int]:
    span = re.fullmatch(r"([1-9])\.\.([1-9])", value) if isinstance(value, str) else None
    if isinstance(value, int):
        return list(range(1, whole(1, 9)(value, place) + 1))
    if span:
        return list(range(int(span[1]), int(span[2]) + 1))
    return listing(whole(1, 9))(value, place)


def handicap(value: Any, place: Place) -> int:
    """ "handicap 7" as 7, "plus 4" as -4, "scratch" as 0."""
    found = re.fullmatch(r"(handicap|plus) (\d{1,2})", text(value, place))
    if value == "scratch":
        return 0
    if not found or not 1 <= int(found[2]) <= (12 if found[1] == "handicap" else 9):
        raise place.wrong('must be "handicap 1" to "handicap 12", "scratch", or "plus 1" to "plus 9"')
    return int(found[2]) if found[1] == "handicap" else -int(found[2])


def check_options(agreed: Match, steps: list[Step], place: Place) -> None:
    """Options changed in a step must fit the match as well."""
    now = dict(agreed.options)
    for each in steps:
        if each.do == "options" and not each.refused:
            now.update(each.keys["set"])
            try:
                agree.start(agreed.preset, [len(s) for s in agreed.sides], now, list(agreed.handicaps), agreed.marks)
            except ValueError as error:
                raise place.wrong(f"step {each.n}: {error}") from error


# [[step]]


def step(n: int, value: Any, place: Place, agreed: Match) -> Step:
    if not isinstance(value, dict) or not isinstance(value.get("do"), str):
        raise place.wrong("needs the key 'do', a string")
    if value["do"] not in STEPS:
        raise place.wrong(f"unknown do = '{value['do']}'; known: {', '.join(STEPS)}")
    needed, optional = STEPS[value["do"]]
    common = {"do": text, "refused": one_of(*REFUSALS), "expect": lambda found, _: found}
    keys = {key: KEYS[key] for key in (*needed, *optional)} | common
    if value["do"] == "dart":
        keys["hit"] = dart
    got = table(value, place, keys, needed)
    expect = expectations(got.pop("expect", {}), place.at("expect"), agreed)
    do, refused = got.pop("do"), got.pop("refused", "")
    if do == "overrule" and len(got) != 1:
        raise place.wrong("overrule needs one of marks, winner, void")
    if do == "choose" and ("place" in got) != (got["choice"] == "place"):
        raise place.wrong("choice = 'place' goes with the key 'place', the others without")
    if do in ("shove", "nine") and not got["discs"] and not got.get("gone"):
        raise place.wrong("discs is empty: the disc just shoved is last, or say gone = true")
    return Step(n, do, got, expect, refused)


def expectations(value: Any, place: Place, agreed: Match) -> dict[str, Any]:
    players = [name for side in agreed.sides for name in side]
    firsts = [side[0] for side in agreed.sides]
    kinds = {
        "row": lambda found, where: table(found, where, dict.fromkeys(firsts, listing(whole(0, MANY), 9))),
        "points": lambda found, where: table(found, where, dict.fromkeys(firsts, whole(0, MANY))),
        "player": one_of(*players, ""),
        "side": one_of(*firsts, ""),
        "sides": listing(one_of(*firsts)),
        "count": whole(0, MANY),
        "verdicts": listing(verdict),
        "last": lambda found, where: table(found, where, {"disc": whole(0, MANY), "verdict": verdict}),
        "badges": listing(one_of("sergeant", "sergeant-major")),
        "flag": flag,
    }
    return table(value, place, {key: kinds[kind] for key, kind in EXPECT.items()})


verdict = one_of(1, 2, 3, 4, 5, 6, 7, 8, 9, "line", "wide", "short", "over", "stacked", "lift", "doubt", "off")


def disc(value: Any, place: Place) -> dict[str, Any]:
    """A disc as {x, y} in hundredths of a millimetre, with `on` (list of numbers), `lift` and `doubt`."""
    if isinstance(value, list):
        x, y = listing(hundredths, 2)(value, place)
        return {"x": x, "y": y, "on": [], "lift": False, "doubt": False}
    keys = {"x": hundredths, "y": hundredths, "on": numbers, "lift": flag, "doubt": flag}
    return {"on": [], "lift": False, "doubt": False} | table(value, place, keys, needed=("x", "y"))


def discs(value: Any, place: Place) -> list[dict[str, Any]]:
    found = listing(disc)(value, place)
    for number, each in enumerate(found, 1):
        if any(not 1 <= on <= len(found) or on == number for on in each["on"]):
            raise place.at(str(number)).wrong("on must name another disc of this step")
    return found


def numbers(value: Any, place: Place) -> list[int]:
    """Disc numbers: one, or an array of them."""
    return listing(whole(1, 99))(value if isinstance(value, list) else [value], place)


def dart(value: Any, place: Place) -> str:
    if not re.fullmatch(r"[DT]?([1-9]|1\d|20)|bull|outer|miss", text(value, place)):
        raise place.wrong('must be a dart such as "7", "D7", "T7", "bull", "outer" or "miss"')
    return value


def rows(value: Any, place: Place) -> dict[str, list[int]]:
    """Marks by name; a name nobody has is the engine's to refuse."""
    if not isinstance(value, dict) or not value:
        raise place.wrong("must be a table of marks by side")
    return {name: listing(whole(0, 10), 9)(row, place.at(name)) for name, row in value.items()}


KEYS = {
    "by": text,
    "to": text,
    "winner": text,
    "discs": discs,
    "hit": numbers,
    "gone": flag,
    "choice": one_of("replay", "replace", "place"),
    "place": whole(0, 99),
    "bed": whole(1, 9),
    "disc": whole(1, 99),
    "scores": flag,
    "marks": rows,
    "void": one_of(True),
    "turn_no": whole(1, 9999),
    "set": options,
}
