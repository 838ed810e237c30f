"""Reads a board description (board.toml, or one based on it) and checks every number before anything is made of it."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NUMBERS: dict[str, dict[str, type]] = {
    "geometry": {
        "width": float, "length": float, "first_line": float, "line_pitch": float, "lines": int,
        "line_width": float, "side_line": float, "disc_diameter": float, "disc_thickness": float,
    },
    "magnet": {"diameter": float, "height": float, "remanence_mt": int},
    "hall": {
        "depth": float, "uv_per_ut": int, "per_bed": int, "bed_pitch": float,
        "approach": int, "approach_pitch": float, "approach_y": float,
    },
    "light": {"per_line": int, "segment": float},
    "adc": {"rail_mv": int, "bits": int, "settle_hall_us": int, "settle_light_us": int},
    "pegs": {"sides": int, "per_bed": int, "status": int, "max_ma": int},
}  # fmt: skip
PINS = {
    "uart_tx": 1, "uart_rx": 1, "mux_select": 4, "group_select": 3, "group_enable": 1, "emitter_data": 1,
    "emitter_clock": 1, "emitter_latch": 1, "emitter_off": 1, "pixels": 1, "buttons": 3, "rail_good": 1,
    "service": 1, "adc": 3,
}  # fmt: skip
MUX_INPUTS = 16
GROUPS = 8
ADC_INPUTS = 3


class DescriptionError(Exception):
    """A board description that cannot be built; the text is one sentence that names the file and the key."""


@dataclass(frozen=True)
class Mux:
    """One 74HC4067: the channels (numbers of sensors) on its first inputs, and what its spare inputs carry."""

    name: str
    group: int
    adc: int
    channels: tuple[int, ...]
    light: bool
    spare: dict[int, str]


@dataclass(frozen=True)
class Description:
    """A checked board description: `values` as in the file (millimetres), `muxes` with their channels resolved."""

    source: str
    values: dict[str, Any]
    muxes: tuple[Mux, ...]

    @property
    def beds(self) -> int:
        return self.values["geometry"]["lines"] - 1

    @property
    def halls(self) -> int:
        return self.beds * self.values["hall"]["per_bed"] + self.values["hall"]["approach"]

    @property
    def lights(self) -> int:
        return self.values["geometry"]["lines"] * self.values["light"]["per_line"]


def read(path: Path) -> Description:
    """The description in `path`, over its `base` if it names one. Raises DescriptionError with one clear sentence."""
    values = _load(path)
    if "base" in values:
        base = _load(path.parent / str(values.pop("base")))
        values = {key: _merged(base.get(key), value) for key, value in {**base, **values}.items()}
    name = values.get("name")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise DescriptionError(f'{path.name}: name must be a short lower-case word such as "standard"')
    for table, keys in NUMBERS.items():
        _check_numbers(path, table, values.get(table), keys)
    _check_pins(path, values.get("pins"))
    muxes = values.get("mux")
    if not isinstance(muxes, list) or not muxes:
        raise DescriptionError(f"{path.name}: at least one [[mux]] is needed to say where each sensor is connected")
    resolved = tuple(_mux(path, number, mux, values) for number, mux in enumerate(muxes, 1))
    description = Description(path.name, values, resolved)
    _check_coverage(path, description)
    return description


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DescriptionError(f"{path}: no such file; name a board description such as hardware/board.toml") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DescriptionError(f"{path}: cannot be read ({error})") from None
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(f"{path.name}: not valid TOML: {error}; mend that line") from None


def _merged(base: Any, value: Any) -> Any:
    return {**base, **value} if isinstance(base, dict) and isinstance(value, dict) else value


def _check_numbers(path: Path, table: str, found: Any, keys: dict[str, type]) -> None:
    if not isinstance(found, dict):
        raise DescriptionError(f"{path.name}: the table [{table}] is missing")
    for key in found:
        if key not in keys:
            raise DescriptionError(f"{path.name}: [{table}] has an unknown key {key}; known are {', '.join(keys)}")
    for key, kind in keys.items():
        value = found.get(key)
        accepted = (int, float) if kind is float else (int,)
        if isinstance(value, bool) or not isinstance(value, accepted) or not 0 < value < 100_000:
            what = "number" if kind is float else "whole number"
            raise DescriptionError(f"{path.name}: [{table}] {key} must be a positive {what}, not {value!r}")


def _check_pins(path: Path, found: Any) -> None:
    if not isinstance(found, dict) or set(found) != set(PINS):
        raise DescriptionError(f"{path.name}: [pins] must name exactly {', '.join(PINS)}")
    used: dict[int, str] = {}
    for key, count in PINS.items():
        pins = found[key] if count > 1 else [found[key]]
        if not isinstance(pins, list) or len(pins) != count:
            raise DescriptionError(f"{path.name}: [pins] {key} must be {count} GPIO numbers")
        for pin in pins:
            if not isinstance(pin, int) or not 0 <= pin <= 28:
                raise DescriptionError(f"{path.name}: [pins] {key} must be a GPIO number from 0 to 28, not {pin!r}")
            if pin in used:
                raise DescriptionError(f"{path.name}: [pins] GPIO {pin} is used by {used[pin]} and by {key}; free one")
            used[pin] = key


def _strip(path: Path, where: str, strip: Any, values: dict[str, Any]) -> tuple[int, int, bool]:
    """First channel and length of a strip, and whether it carries light segments."""
    hall, light = values["hall"], values["light"]
    lines = values["geometry"]["lines"]
    halls = (lines - 1) * hall["per_bed"]
    if strip == "approach":
        return halls, hall["approach"], False
    if (bed := re.fullmatch(r"bed (\d+)", str(strip))) and 1 <= int(bed[1]) < lines:
        return (int(bed[1]) - 1) * hall["per_bed"], hall["per_bed"], False
    if (pair := re.fullmatch(r"lines (\d+)-(\d+)", str(strip))) and int(pair[2]) == int(pair[1]) + 1 <= lines:
        start = halls + hall["approach"] + (int(pair[1]) - 1) * light["per_line"]
        return start, 2 * light["per_line"], True
    known = f'"bed 1" to "bed {lines - 1}", "approach" or "lines N-M" with N and M neighbours'
    raise DescriptionError(f"{path.name}: {where} strip must be {known}, not {strip!r}")


def _mux(path: Path, number: int, mux: Any, values: dict[str, Any]) -> Mux:
    where = f"[[mux]] number {number}:"
    known = {"strip", "group", "adc", "first", "count", "spare"}
    if not isinstance(mux, dict) or not set(mux) <= known:
        raise DescriptionError(f"{path.name}: {where} the keys are {', '.join(sorted(known))}")
    start, length, light = _strip(path, where, mux.get("strip"), values)
    limits = {"group": (0, GROUPS - 1), "adc": (0, ADC_INPUTS - 1), "first": (0, length - 1), "count": (1, MUX_INPUTS)}
    found = {"first": 0, **mux}
    for key, (low, high) in limits.items():
        if not isinstance(found.get(key), int) or not low <= found[key] <= high:
            raise DescriptionError(f"{path.name}: {where} {key} must be a whole number from {low} to {high}")
    first, count = found["first"], found["count"]
    if first + count > length:
        raise DescriptionError(f"{path.name}: {where} strip {mux['strip']!r} has {length} sensors, not {first + count}")
    spare = {int(key): str(value) for key, value in mux.get("spare", {}).items() if str(key).isdigit()}
    if len(spare) != len(mux.get("spare", {})) or any(not count <= key < MUX_INPUTS for key in spare):
        raise DescriptionError(f"{path.name}: {where} spare inputs are numbered {count} to {MUX_INPUTS - 1}")
    channels = tuple(range(start + first, start + first + count))
    return Mux(str(mux["strip"]), found["group"], found["adc"], channels, light, spare)


def _check_coverage(path: Path, description: Description) -> None:
    places: dict[tuple[int, int], int] = {}
    seen: dict[int, int] = {}
    for number, mux in enumerate(description.muxes, 1):
        place = (mux.group, mux.adc)
        if place in places:
            raise DescriptionError(f"{path.name}: [[mux]] numbers {places[place]} and {number} share group {mux.group} "
                                   f"and adc {mux.adc}; give one another place")  # fmt: skip
        places[place] = number
        for channel in mux.channels:
            if channel in seen:
                raise DescriptionError(f"{path.name}: [[mux]] numbers {seen[channel]} and {number} both read sensor "
                                       f"{channel} ({mux.name})")  # fmt: skip
            seen[channel] = number
    missing = set(range(description.halls + description.lights)) - set(seen)
    if missing:
        raise DescriptionError(f"{path.name}: sensor {min(missing)} and {len(missing) - 1} more are on no [[mux]]")
