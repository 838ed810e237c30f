"""The board tests itself: sensors, references, pegs, buttons, flash, timing, memory; each result has its limits.

No board carries it: the host sends it when somebody asks.
Every check is one line `CHECK name value low high unit verdict note`.
"""

import gc
import os
import time
from array import array

PASSES = 32
BEYOND = 0xFFFF
REFERENCES = {"ground": (0, 60), "mid_rail": (1900, 2200), "rail_good": (3500, 4095)}
COLOURS = (b"\x00\x20\x00", b"\x20\x00\x00", b"\x00\x00\x20", b"\x00\x00\x00")  # red, green, blue, off
SHOW_MS = 300


def verdict(value, low, high, margin):
    """`pass`, `marginal` (within `margin` of a limit) or `fail`."""
    if not low <= value <= high:
        return "fail"
    near_low = low > 0 and value < low + margin
    return "marginal" if near_low or value > high - margin else "pass"


def check(name, value, low, high, unit, margin=0, note="-"):
    """Prints a result and returns its verdict."""
    result = verdict(value, low, high, margin)
    print("CHECK", name, value, low, high, unit, result, note)
    return result


def spread(read, count, places):
    """(means, standard deviations) of `places` channels over `count` single readings, both times 10."""
    sums = array("i", bytes(4 * places))
    squares = array("i", bytes(4 * places))
    one = array("i", bytes(4 * places))
    first = array("i", bytes(4 * places))
    for n in range(count):
        read(one)
        for k in range(places):
            if not n:
                first[k] = one[k]
            away = max(-1000, min(1000, one[k] - first[k]))
            sums[k] += away
            squares[k] += away * away
    for k in range(places):
        variance = max(0, squares[k] * count - sums[k] * sums[k]) // count
        squares[k] = int((variance / (count - 1)) ** 0.5 * 10)
        sums[k] = first[k] * 10 + sums[k] * 10 // count
    return sums, squares


def worst(values):
    """(largest value, its place)."""
    most = max(values)
    return most, list(values).index(most)


def halls(hardware, layout):
    """Noise, offset, and channels that do not move at all or hang at a rail."""
    means, noise = spread(lambda out: hardware.scan_halls(out, 1), PASSES, layout.HALLS)
    most, place = worst(noise)
    check("hall_noise", most, 1, 45, "code/10", 10, "hall_%d" % place)
    most, place = worst([abs(mean - 20480) for mean in means])
    check("hall_offset", most, 0, 6000, "code/10", 1500, "hall_%d" % place)
    dead = [k for k in range(layout.HALLS) if noise[k] == 0 or not 500 < means[k] < 40450]
    check("hall_stuck", len(dead), 0, 0, "channels", 0, ",".join([str(k) for k in dead[:8]]) or "-")


def light(hardware, layout):
    """What comes back from the surface, and what shines in from outside."""
    lit = array("i", bytes(4 * layout.LIGHTS))
    dark = array("i", bytes(4 * layout.LIGHTS))
    hardware.scan_light(lit, dark, 8)
    returned = [(lit[k] - dark[k]) // 8 for k in range(layout.LIGHTS)]
    least = min(returned)
    check("light_returned", least, 40, 4095, "code", 20, "segment_%d" % returned.index(least))
    most, place = worst([value // 8 for value in dark])
    check("light_dark", most, 0, 3000, "code", 500, "segment_%d" % place)


def references(hardware, layout):
    """Known voltages at known selects: a crossed or stuck select line, or a bad rail, shows here."""
    codes = array("i", bytes(4 * len(layout.SPARE_INPUTS)))
    hardware.spares(codes)
    for place, (what, select, adc) in enumerate(layout.SPARE_INPUTS):
        if what in REFERENCES:
            low, high = REFERENCES[what]
            check(
                "select_" + what,
                codes[place],
                low,
                high,
                "code",
                0,
                "group_%d_input_%d_adc_%d" % (select >> 4, select & 15, adc),
            )


def pegs(hardware, layout):
    """All pixels red, green, blue and off: a person looks; the time is the board's."""
    slowest = 0
    for colour in COLOURS:
        begun = time.ticks_us()
        hardware.show(bytearray(colour * layout.PIXELS))
        slowest = max(slowest, time.ticks_diff(time.ticks_us(), begun))
        time.sleep_ms(SHOW_MS)
    check("pegs", slowest, 0, 1000, "us", 200, "look:_red,_green,_blue,_off")


def flash():
    """A small file there and back; room for the journal."""
    begun = time.ticks_ms()
    data = bytes(range(256)) * 2
    with open("selftest.tmp", "wb") as file:
        file.write(data)
    with open("selftest.tmp", "rb") as file:
        same = file.read() == data
    os.remove("selftest.tmp")
    check("flash_ms", time.ticks_diff(time.ticks_ms(), begun), 0, 1500, "ms", 500)
    check("flash_same", int(same), 1, 1, "-")
    status = os.statvfs("/")
    check("flash_free", status[0] * status[3] // 1024, 200, 16384, "kB", 100)


def timing(hardware, layout):
    """How long the two scans take."""
    out = array("i", bytes(4 * layout.HALLS))
    begun = time.ticks_us()
    hardware.scan_halls(out, 4)
    check("scan_us", time.ticks_diff(time.ticks_us(), begun) // 4, 0, 1100, "us", 30)


def main(hardware, layout):
    """Every check, one after the other."""
    references(hardware, layout)
    halls(hardware, layout)
    light(hardware, layout)
    pegs(hardware, layout)
    check("buttons_held", hardware.buttons(), 0, 0, "mask")
    check("lifts_raised", hardware.lifts(), 0, 0, "mask")
    flash()
    timing(hardware, layout)
    gc.collect()
    check("heap_free", gc.mem_free() // 1024, 40, 400, "kB", 20)
    print("CHECKED")
