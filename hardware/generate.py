"""Writes firmware/hapenny/layout*.py from the board descriptions beside this file; `--check` only compares.

python hardware/generate.py [--check] [FILE...]
"""

import struct
import sys
import zlib
from array import array
from functools import cache
from math import cos, pi
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from description import Description, DescriptionError, read

HERE = Path(__file__).parent
TARGET = HERE.parent / "firmware" / "hapenny"
SOURCES = ("board.toml", "lite.toml")
HELPERS = '''
def runs(kind, data, planes):
    """A table from its arithmetic runs (count, first, step); `planes` of them are interleaved."""
    numbers = []
    for at in range(0, len(data), 6):
        count, first, step = struct.unpack_from("<HHH", data, at)
        numbers.extend([first + step * i & 0xFFFF for i in range(count)])
    each = len(numbers) // planes
    return array(kind, [numbers[i % planes * each + i // planes] for i in range(len(numbers))])


def cubics(data):
    """FIELD_UT from its pieces: steps; value and its three differences (2^15 a microtesla); lean and its difference."""
    numbers = array("h")
    for at in range(0, len(data), 26):
        steps, value, slope, bend, twist, lean, more = struct.unpack_from("<Hiiiiii", data, at)
        for _ in range(steps):
            numbers.append(value + 16384 >> 15)
            numbers.append(slope + 512 >> 10)
            numbers.append(lean >> 8)
            value += slope
            slope += bend
            bend += twist
            lean += more
    return numbers

'''
NONE = 0xFFFF  # this ADC input reads nothing at this step
# The field table is entered with the squared distance in hmm^2: steps of 2^14 (1.6 mm^2) to 29 mm, of 2^19 (52 mm^2)
# to 130 mm (that far a neighbour must be subtracted). Powers of two, so that the device only shifts.
FIELD_NEAR_SHIFT = 14
FIELD_FAR_SHIFT = 19
FIELD_NEAR_STEPS = 512
FIELD_REACH_HMM = 13000
# The table is generated on the board from cubic pieces. They may be off by so much (microtesla; 1/32 of it a step and
# a thousandth of the slope; lean and a 32nd of it: it is only part of standard errors).
PIECE_ERROR = (0.6, 1.0, 24.0)
PIECE_MOST = 256  # steps


def hmm(value_mm: float) -> int:
    """Hundredths of a millimetre, to nearest, halves up (RULES.md, Units)."""
    return int(np.floor(value_mm * 100 + 0.5))


def field_columns(board: Description) -> np.ndarray:
    """Field under a disc against the squared distance, three numbers a step.

    Microtesla; 32 x its change to the next step; what a magnet leaning by 1 rad adds, a 1024 hmm of distance, beyond
    the shift that it looks like 8 mm away (that shift is part of every standard error).
    Source: the exact field of a uniformly magnetised cylinder, by magpylib; height = element depth + half a disc.
    """
    import magpylib  # here, so that a broken description is refused without waiting for it

    magnet, depth = board.values["magnet"], board.values["hall"]["depth"]
    height_mm = depth + board.values["geometry"]["disc_thickness"] / 2
    cylinder = magpylib.magnet.Cylinder(
        dimension=(magnet["diameter"] * 1e-3, magnet["height"] * 1e-3),
        polarization=(0, 0, magnet["remanence_mt"] * 1e-3),
    )
    bend = FIELD_NEAR_STEPS << FIELD_NEAR_SHIFT
    end = FIELD_REACH_HMM**2 + (2 << FIELD_FAR_SHIFT)
    squares = (
        np.concatenate([np.arange(0, bend, 1 << FIELD_NEAR_SHIFT), np.arange(bend, end, 1 << FIELD_FAR_SHIFT)]) * 1e-4
    )
    points = np.stack([np.sqrt(squares) * 1e-3, 0 * squares, 0 * squares - height_mm * 1e-3], axis=1)
    points[0, 0] = 1e-6
    radial_ut, _, field_ut = np.asarray(cylinder.getB(points)).T * 1e6
    lean = -radial_ut / (points[:, 0] * 1e5) * 1024
    shift = 2048 * np.gradient(field_ut, squares * 1e4)
    lean -= shift * np.interp(64.0, squares, lean / shift)
    return np.stack([field_ut[:-1], 32 * np.diff(field_ut), lean[:-1]], axis=1)


def field_pieces(columns: np.ndarray) -> bytes:
    """The columns as cubic pieces, each as long as it may be."""
    out = b""
    start = 0
    while start < len(columns):
        end = min(start + PIECE_MOST, FIELD_NEAR_STEPS if start < FIELD_NEAR_STEPS else len(columns))
        while end > start + 4 and not holds(columns[start:end], fitted(columns[start:end])):
            end -= 1
        out += struct.pack("<Hiiiiii", end - start, *fitted(columns[start:end]))
        start = end
    return out


def fitted(part: np.ndarray) -> list[int]:
    """Value and differences of the cubic, lean and its step, of one piece."""
    p = [through(part[:, 0].tolist(), 4, step) for step in range(4)]
    differences = (p[0], p[1] - p[0], p[2] - 2 * p[1] + p[0], p[3] - 3 * p[2] + 3 * p[1] - p[0])
    lean = [through(part[:, 2].tolist(), 2, step) for step in range(2)]
    return [round(n * 32768) for n in differences] + [round(n * 256) for n in (lean[0], lean[1] - lean[0])]


def through(values: list[float], nodes: int, step: float) -> float:
    """At `step`, the polynomial through the values at as many Chebyshev nodes (all values if there are fewer)."""
    last = len(values) - 1
    places = sorted({round(last * (1 - cos((2 * k + 1) * pi / (2 * nodes))) / 2) for k in range(nodes)})
    total = 0.0
    for i in places:
        weight = 1.0
        for j in places:
            weight *= (step - j) / (i - j) if i != j else 1.0
        total += weight * values[i]
    return total


def holds(part: np.ndarray, numbers: list[int]) -> bool:
    """Whether a piece is as good as PIECE_ERROR asks."""
    made = np.array(layout_of(struct.pack("<Hiiiiii", len(part), *numbers))).reshape(-1, 3)
    allowed = np.array(PIECE_ERROR) + np.abs(part) * (0, 1e-3, 1 / 32)
    return bool((np.abs(made - part) <= allowed).all())


def layout_of(pieces: bytes) -> list[int]:
    """What a board makes of pieces."""
    return list(helpers()["cubics"](pieces))


@cache
def helpers() -> dict[str, Any]:
    """The very functions that go into the layout."""
    names: dict[str, Any] = {"struct": struct, "array": array}
    exec(HELPERS, names)
    return names


def runs_of(numbers: list[int], planes: int) -> bytes:
    """A table as arithmetic runs (count, first, step), plane after plane."""
    rest = [number for plane in range(planes) for number in numbers[plane::planes]]
    out = b""
    while rest:
        step = rest[1] - rest[0] if len(rest) > 1 else 0
        count = 1
        while count < len(rest) and rest[count] - rest[count - 1] == step:
            count += 1
        out += struct.pack("<HHH", count, rest[0], step & 0xFFFF)
        rest = rest[count:]
    return out


def sensor_places(board: Description) -> tuple[list[int], list[int]]:
    """x and y of every Hall in hundredths of a millimetre: rows at the beds' centres, then the approach row."""
    geometry, hall = board.values["geometry"], board.values["hall"]
    xs: list[int] = []
    ys: list[int] = []
    rows = [(hall["per_bed"], hall["bed_pitch"], geometry["first_line"] + (bed + 0.5) * geometry["line_pitch"])
            for bed in range(board.beds)]  # fmt: skip
    rows.append((hall["approach"], hall["approach_pitch"], hall["approach_y"]))
    for count, pitch, y in rows:
        for i in range(count):
            xs.append(hmm(geometry["width"] / 2 + (i - (count - 1) / 2) * pitch))
            ys.append(hmm(y))
    return xs, ys


def scan_steps(board: Description, light: bool) -> tuple[list[int], list[int]]:
    """Steps of a pass: (group << 4 | mux input) of each, and three sensor numbers of each (ADC 0, 1, 2; NONE = unread).

    Sensor numbers count Halls from 0 and, in the light pass, segments from 0.
    """
    where = {(mux.group, mux.adc): mux for mux in board.muxes if mux.light is light}
    selects: list[int] = []
    channels: list[int] = []
    for group in range(8):
        for place in range(16):
            row = [_channel(board, where.get((group, adc)), place) for adc in range(3)]
            if any(channel != NONE for channel in row):
                selects.append(group << 4 | place)
                channels.extend(row)
    return selects, channels


def _channel(board: Description, mux: object, place: int) -> int:
    if mux is None or place >= len(mux.channels):  # type: ignore[attr-defined]
        return NONE
    channel = mux.channels[place]  # type: ignore[attr-defined]
    return channel - board.halls if mux.light else channel  # type: ignore[attr-defined]


def spare_inputs(board: Description) -> list[tuple[str, int, int]]:
    """(what, group << 4 | mux input, ADC) of every spare mux input that carries something, sorted by name."""
    found = [(what, mux.group << 4 | place, mux.adc) for mux in board.muxes for place, what in mux.spare.items()]
    return sorted(
        found, key=lambda item: (item[0].rstrip("0123456789"), int("0" + item[0].lstrip("abcdefghijklmnopqrstuvwxyz_")))
    )


def constants(board: Description) -> list[tuple[str, object]]:
    """Every plain number of layout.py, in the device's units."""
    values = board.values
    geometry, magnet, hall, light, adc, pegs = (
        values[k] for k in ("geometry", "magnet", "hall", "light", "adc", "pegs")
    )
    uv_per_code = adc["rail_mv"] * 1000 / 2 ** adc["bits"]
    rows: list[tuple[str, object]] = [("NAME", values["name"])]
    rows += [(f"{key.upper()}_HMM", hmm(value)) for key, value in geometry.items() if key != "lines"]
    rows += [
        ("LINES", geometry["lines"]),
        ("BEDS", board.beds),
        ("DISC_RADIUS_HMM", hmm(geometry["disc_diameter"] / 2)),
    ]
    rows += [("MAGNET_DIAMETER_HMM", hmm(magnet["diameter"])), ("MAGNET_HEIGHT_HMM", hmm(magnet["height"]))]
    rows += [("MAGNET_REMANENCE_MT", magnet["remanence_mt"]), ("HALL_DEPTH_HMM", hmm(hall["depth"]))]
    rows += [("HALLS", board.halls), ("BED_HALLS", board.halls - hall["approach"]), ("HALLS_PER_BED", hall["per_bed"])]
    rows += [("HALL_PITCH_HMM", hmm(hall["bed_pitch"])), ("APPROACH_HALLS", hall["approach"])]
    rows += [("APPROACH_PITCH_HMM", hmm(hall["approach_pitch"])), ("APPROACH_Y_HMM", hmm(hall["approach_y"]))]
    rows += [("HALL_UV_PER_UT", hall["uv_per_ut"]), ("UT_PER_CODE_Q10", round(uv_per_code / hall["uv_per_ut"] * 1024))]
    rows += [("LIGHTS", board.lights), ("LIGHTS_PER_LINE", light["per_line"]), ("SEGMENT_HMM", hmm(light["segment"]))]
    rows += [("LIGHT_X0_HMM", hmm(geometry["width"] / 2 - light["per_line"] * light["segment"] / 2))]
    rows += [("ADC_BITS", adc["bits"]), ("ADC_RAIL_MV", adc["rail_mv"])]
    rows += [("SETTLE_HALL_US", adc["settle_hall_us"]), ("SETTLE_LIGHT_US", adc["settle_light_us"])]
    strip = board.beds * pegs["per_bed"] + pegs["status"]
    rows += [("PEG_SIDES", pegs["sides"]), ("PEGS_PER_BED", pegs["per_bed"]), ("STATUS_PIXELS", pegs["status"])]
    rows += [("STRIP_PIXELS", strip), ("PIXELS", strip * pegs["sides"]), ("PIXELS_MAX_MA", pegs["max_ma"])]
    rows += [(f"PIN_{key.upper()}", tuple(v) if isinstance(v, list) else v) for key, v in values["pins"].items()]
    rows += [("FIELD_NEAR_SHIFT", FIELD_NEAR_SHIFT), ("FIELD_FAR_SHIFT", FIELD_FAR_SHIFT)]
    rows += [("FIELD_NEAR_STEPS", FIELD_NEAR_STEPS)]
    return rows + [("NO_CHANNEL", NONE)]


def tables(board: Description) -> list[tuple[str, str, str]]:
    """(name, how it is made, what it is) of every table of layout.py."""
    xs, ys = sensor_places(board)
    hall_selects, hall_channels = scan_steps(board, light=False)
    light_selects, light_channels = scan_steps(board, light=True)
    rows = [
        ("HALL_X_HMM", "H", xs, 1, "place of every Hall"),
        ("HALL_Y_HMM", "H", ys, 1, ""),
        ("HALL_SELECTS", "B", hall_selects, 1, "steps of a Hall pass: group << 4 | mux input"),
        ("HALL_CHANNELS", "H", hall_channels, 3, "three Halls a step, on ADC 0, 1, 2"),
        ("LIGHT_SELECTS", "B", light_selects, 1, "steps of a light pass"),
        ("LIGHT_CHANNELS", "H", light_channels, 3, "three segments a step"),
    ]
    found = [(name, f'runs("{kind}", {runs_of(numbers, planes)!r}, {planes})', what)
             for name, kind, numbers, planes, what in rows]  # fmt: skip
    what = "field under a disc against squared distance: microtesla, 32 x change to the next step, lean"
    return [*found, ("FIELD_UT", f"cubics({field_pieces(field_columns(board))!r})", what)]


def render(board: Description) -> str:
    """The text of layout.py for a board."""
    lines = [
        f'"""Generated by hardware/generate.py from hardware/{board.source}: do not edit. The board, in its units."""',
        "",
    ]
    lines += ["import struct", "from array import array", "", *HELPERS.split("\n")]
    lines += [f"{name} = {value!r}" for name, value in constants(board)]
    lines += [
        "",
        "# (what, group << 4 | mux input, ADC) of the spare mux inputs in use",
        f"SPARE_INPUTS = {spare_inputs(board)!r}",
        "",
    ]
    for name, made, what in tables(board):
        lines += [f"# {what}"] if what else []
        lines += [f"{name} = {made}"]
    body = "\n".join(lines) + "\n"
    return body + f"LAYOUT_CRC = {zlib.crc32(body.encode()):#010x}\n"


def target(board: Description) -> Path:
    """Where the layout of a board is written: the standard one is `layout`, another is `layout_NAME`."""
    name = board.values["name"]
    return TARGET / ("layout.py" if name == "standard" else f"layout_{name}.py")


def main(arguments: list[str]) -> int:
    """Generates or checks; returns the exit code (0 done, 1 stale, 2 a description is broken)."""
    check = "--check" in arguments
    paths = [Path(argument) for argument in arguments if argument != "--check"] or [HERE / name for name in SOURCES]
    try:
        boards = [read(path) for path in paths]
    except DescriptionError as error:
        print(f"generate: {error}", file=sys.stderr)
        return 2
    stale = [board for board in boards if not target(board).is_file() or target(board).read_text() != render(board)]
    for board in stale:
        if check:
            print(f"generate: {target(board).name} is older than {board.source}; run `make generate`", file=sys.stderr)
        else:
            target(board).write_text(render(board))
            print(f"wrote {target(board).relative_to(HERE.parent)}")
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
