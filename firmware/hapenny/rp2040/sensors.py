"""The board's sensors: Halls, line light with its emitters, and the spare mux inputs (lifts, references)."""

from array import array
from time import sleep_us

from machine import ADC, Pin

from hapenny.rp2040.adc import clear, scan_pass, shift_out

# pyright: reportArgumentType=false
# (its stubs do not know that viper takes an array for a pointer)

EMITTER_US = 120  # an emitter and its detector settle; the first mux input waits 40 us more
CHAIN_BITS = 16  # two 74HC595
HIGH_CODE = 2048
DISCARD = 0xFFFF


def steps_of(layout, parity):
    """(selects, channels) of the light steps that read even (0) or odd (1) lines."""
    selects, channels = bytearray(), array("H")
    for step, select in enumerate(layout.LIGHT_SELECTS):
        read = [channel for channel in layout.LIGHT_CHANNELS[step * 3 : step * 3 + 3] if channel != layout.NO_CHANNEL]
        parities = set([channel // layout.LIGHTS_PER_LINE & 1 for channel in read])
        if len(parities) != 1:
            raise ValueError("a light step reads lines lit at different times: see the muxes in board.toml")
        if parity in parities:
            selects.append(select)
            channels.extend(array("H", layout.LIGHT_CHANNELS[step * 3 : step * 3 + 3]))
    return selects, channels


def spare_steps(layout):
    """(selects, channels) that read SPARE_INPUTS, each into its own place."""
    selects = bytearray([select for _, select, _ in layout.SPARE_INPUTS])
    channels = array("H", [DISCARD] * (3 * len(selects)))
    for place, (_, _, adc) in enumerate(layout.SPARE_INPUTS):
        channels[3 * place + adc] = place
    return selects, channels


def lift_places(layout):
    """(place among SPARE_INPUTS, bit mask) of each lift's switch."""
    names = [what for what, _, _ in layout.SPARE_INPUTS]
    return [(names.index(name), 1 << (int(name[5:]) - 1)) for name in names if name.startswith("lift_")]


class Sensors:
    """Reads what the layout describes; every table is checked here, so that the kernel need not."""

    def __init__(self, layout):
        if layout.PIN_MUX_SELECT + layout.PIN_GROUP_SELECT != (2, 3, 4, 5, 6, 7, 8) or layout.PIN_ADC != (26, 27, 28):
            raise ValueError("the scan kernel needs the mux selects on GPIO 2 to 8 and the ADC on 26 to 28")
        self._layout = layout
        self._halls = (layout.HALL_SELECTS, layout.HALL_CHANNELS, layout.SETTLE_HALL_US)
        self._lines = (steps_of(layout, 0), steps_of(layout, 1))
        self._spares = spare_steps(layout)
        self._lifts = lift_places(layout)
        self._spare_sums = array("i", bytes(4 * len(layout.SPARE_INPUTS)))
        self._check(layout.HALL_CHANNELS, len(layout.HALL_SELECTS), layout.HALLS)
        self._check(layout.LIGHT_CHANNELS, len(layout.LIGHT_SELECTS), layout.LIGHTS)
        self._wire(layout)

    def _check(self, channels, steps, count):
        read = [c for c in channels if c != DISCARD]
        if len(channels) != 3 * steps or not read or max(read) >= count:
            raise ValueError("the layout names a channel that there is no room for: run `make generate`")

    def _wire(self, layout):
        for number in layout.PIN_ADC:
            ADC(number)
        for number in layout.PIN_MUX_SELECT + layout.PIN_GROUP_SELECT:
            Pin(number, Pin.OUT, value=0)
        Pin(layout.PIN_GROUP_ENABLE, Pin.OUT, value=1)
        numbers = (layout.PIN_EMITTER_DATA, layout.PIN_EMITTER_CLOCK, layout.PIN_EMITTER_LATCH)
        for number in numbers:
            Pin(number, Pin.OUT, value=0)
        self._chain = tuple([1 << number for number in numbers])
        self._dark = Pin(layout.PIN_EMITTER_OFF, Pin.OUT, value=1)
        lines = (1 << layout.LINES) - 1
        self._patterns = (0x5555 & lines, 0xAAAA & lines)

    def scan_halls(self, out, passes):
        """Sums of `passes` readings of every Hall."""
        if len(out) != self._layout.HALLS:
            raise ValueError("one place for each Hall")
        selects, channels, settle_us = self._halls
        steps = len(selects)
        clear(out, len(out))
        for _ in range(passes):
            scan_pass(selects, channels, steps, settle_us, out)

    def scan_light(self, lit, dark, pairs):
        """Sums of `pairs` readings of every segment with its line lit, and with all lines dark."""
        if len(lit) != self._layout.LIGHTS or len(dark) != self._layout.LIGHTS:
            raise ValueError("one place for each light segment")
        clear(lit, len(lit))
        clear(dark, len(dark))
        for _ in range(pairs):
            self._scan_lit(0, lit)
            self._scan_lit(1, lit)
            self._dark.high()
            sleep_us(EMITTER_US)
            self._scan_lines(0, dark)
            self._scan_lines(1, dark)

    def _scan_lit(self, parity, out):
        data, clock, latch = self._chain
        shift_out(self._patterns[parity], CHAIN_BITS, data, clock, latch)
        self._dark.low()
        sleep_us(EMITTER_US)
        self._scan_lines(parity, out)

    def _scan_lines(self, parity, out):
        selects, channels = self._lines[parity]
        scan_pass(selects, channels, len(selects), self._layout.SETTLE_LIGHT_US, out)

    def spares(self, out):
        """One reading of each of the layout's SPARE_INPUTS."""
        selects, channels = self._spares
        if len(out) != len(selects):
            raise ValueError("one place for each spare input")
        clear(out, len(out))
        scan_pass(selects, channels, len(selects), self._layout.SETTLE_LIGHT_US, out)

    def lifts(self):
        """Bit mask of the lifts that are raised: their switch pulls the input to ground."""
        sums = self._spare_sums
        self.spares(sums)
        raised = 0
        for place, mask in self._lifts:
            if sums[place] < HIGH_CODE:
                raised |= mask
        return raised
