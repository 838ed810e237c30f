"""What hangs on the RP2040's pins: muxes and sensors, emitters, peg LEDs, buttons. Wired as board.toml says."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from rp2040py.external.ws2812 import Ws2812

HALL_TAU_US = 0.6  # a Hall drives the eight tied commons of its ADC input through the mux
LIGHT_TAU_US = 4.5  # 10 kOhm of a phototransistor into the same 0.45 nF
EMITTER_TAU_US = 30.0  # an infrared emitter and its detector
CONVERSION_NS = 2000
LATCH_NS = 50_000  # the pixel line low for so long ends a frame
FULL_CODE = 4095
SPARE_CODES = {"ground": 6, "mid_rail": 2048, "rail_good": 4060}
LIFT_LYING = 4070  # its switch is open, the input pulled up
LIFT_RAISED = 10


class Surroundings(Protocol):
    """What the sensors see at a time of the board."""

    def halls(self, time_s: float) -> np.ndarray:
        """One reading of every Hall, in ADC codes."""
        ...

    def light(self, time_s: float) -> tuple[np.ndarray, np.ndarray]:
        """One reading of every line segment: (its line lit, all dark)."""
        ...

    def lifts(self) -> int:
        """Bit mask of the raised lifts."""
        ...


class Emitters:
    """The 74HC595 chain that lights the lines: one output a line, all off while output enable is high."""

    def __init__(self, mcu: Any, layout: ModuleType) -> None:
        self._mcu = mcu
        self._off_pin = layout.PIN_EMITTER_OFF
        self._data_pin = layout.PIN_EMITTER_DATA
        self._shift = 0
        self.outputs = 0
        self.changed_ns = -1e12
        rising(mcu, layout.PIN_EMITTER_CLOCK, self._clock)
        rising(mcu, layout.PIN_EMITTER_LATCH, self._latch)
        mcu.gpio[layout.PIN_EMITTER_OFF].add_listener(self._switched)

    def _clock(self) -> None:
        self._shift = (self._shift << 1 | self._mcu.sio.gpio_value >> self._data_pin & 1) & 0xFFFF

    def _latch(self) -> None:
        if self.outputs != self._shift:
            self.changed_ns = self._mcu.clock.nanos
        self.outputs = self._shift

    def _switched(self, _new: Any, _old: Any) -> None:
        self.changed_ns = self._mcu.clock.nanos

    def lit(self, line: int) -> bool:
        """Whether that line's emitter is on."""
        driven = self._mcu.sio.gpio_output_enable >> self._off_pin & 1
        off = self._mcu.sio.gpio_value >> self._off_pin & 1 or not driven
        return not off and bool(self.outputs >> line & 1)

    def settled(self) -> float:
        """How far the light has got since the last switch, 0 to 1."""
        return 1 - math.exp(-(self._mcu.clock.nanos - self.changed_ns) / 1000 / EMITTER_TAU_US)


def rising(mcu: Any, pin: int, call: Callable[[], None]) -> None:
    """Calls on each rising edge of an output."""

    def changed(new: Any, _old: Any) -> None:
        if new == 1:
            call()

    mcu.gpio[pin].add_listener(changed)


class Muxes:
    """The 74HC4067 behind the 74HC138: what each ADC input reads at each select, with the settling of its source."""

    def __init__(self, mcu: Any, layout: ModuleType, around: Surroundings, emitters: Emitters) -> None:
        self._mcu, self._layout, self._around, self._emitters = mcu, layout, around, emitters
        self._halls = places(layout.HALL_SELECTS, layout.HALL_CHANNELS)
        self._lights = places(layout.LIGHT_SELECTS, layout.LIGHT_CHANNELS)
        self._spares = {(select, adc): what for what, select, adc in layout.SPARE_INPUTS}
        self._enable_pin = layout.PIN_GROUP_ENABLE
        self._select = -1
        self._changed_ns = 0.0
        self._held = [0.0, 0.0, 0.0]  # what each common carried when the select changed
        self._hall_codes = np.zeros(layout.HALLS)
        self._lit_codes = self._dark_codes = np.zeros(layout.LIGHTS)
        self._fresh: set[tuple[int, bool]] = set()  # segments read, and in which light, since the codes were drawn
        for pin in (*layout.PIN_MUX_SELECT, *layout.PIN_GROUP_SELECT):
            mcu.gpio[pin].add_listener(self._selected)
        mcu.adc.on_adc_read = self._convert

    def _selected(self, _new: Any, _old: Any) -> None:
        now_ns = self._mcu.clock.nanos
        if now_ns != self._changed_ns:  # one write moves several pins
            self._held = [self._level(adc) for adc in range(3)]
            self._changed_ns = now_ns
        self._select = self._mcu.sio.gpio_value >> 2 & 0x7F

    def _convert(self, adc: int) -> None:
        self._select = self._mcu.sio.gpio_value >> 2 & 0x7F
        key = (self._select, adc)
        if key in self._halls:
            self._draw_halls(self._halls[key])
        elif key in self._lights:
            self._draw_light(self._lights[key])
        value = self._level(adc) if adc < 3 else 0.0
        self._mcu.adc.channel_values[adc] = min(FULL_CODE, max(0, round(value)))
        self._mcu.adc.current_channel = adc
        self._mcu.adc.sample_alarm.schedule(CONVERSION_NS)

    def _level(self, adc: int) -> float:
        """Code on an ADC input now: the old one fades into the selected source's."""
        source, tau_us = self._source(adc)
        elapsed_us = (self._mcu.clock.nanos - self._changed_ns) / 1000
        return source + (self._held[adc] - source) * math.exp(-elapsed_us / tau_us)

    def _source(self, adc: int) -> tuple[float, float]:
        if self._select < 0 or not self._mcu.sio.gpio_value >> self._enable_pin & 1:
            return 0.0, LIGHT_TAU_US
        key = (self._select, adc)
        if key in self._halls:
            return float(self._hall_codes[self._halls[key]]), HALL_TAU_US
        if key in self._lights:
            return self._light(self._lights[key]), LIGHT_TAU_US
        what = self._spares.get(key, "open")
        if what.startswith("lift_"):
            raised = self._around.lifts() >> int(what[5:]) - 1 & 1
            return LIFT_RAISED if raised else LIFT_LYING, LIGHT_TAU_US
        return float(SPARE_CODES.get(what, 0)), LIGHT_TAU_US

    def _draw_halls(self, channel: int) -> None:
        """New readings, with their noise, at the start of each pass."""
        if channel == self._layout.HALL_CHANNELS[0]:
            self._hall_codes = self._around.halls(self._mcu.clock.nanos / 1e9)

    def _draw_light(self, channel: int) -> None:
        """New readings when a segment is read for the second time in the same light."""
        key = (channel, self._emitters.lit(self._line(channel)))
        if not self._fresh or key in self._fresh:
            self._lit_codes, self._dark_codes = self._around.light(self._mcu.clock.nanos / 1e9)
            self._fresh.clear()
        self._fresh.add(key)

    def _line(self, channel: int) -> int:
        return channel // self._layout.LIGHTS_PER_LINE

    def _light(self, channel: int) -> float:
        lit, dark = float(self._lit_codes[channel]), float(self._dark_codes[channel])
        on = self._emitters.lit(self._line(channel))
        return dark + (lit - dark) * (self._emitters.settled() if on else 0.0)


def places(selects: Any, channels: Any) -> dict[tuple[int, int], int]:
    """(select, ADC input) -> sensor number, for a scan list of the layout."""
    return {
        (select, adc): channels[step * 3 + adc]
        for step, select in enumerate(selects)
        for adc in range(3)
        if channels[step * 3 + adc] != 0xFFFF
    }


class Buttons:
    """Push buttons to ground."""

    def __init__(self, mcu: Any, layout: ModuleType) -> None:
        self._pins = [mcu.gpio[pin] for pin in (*layout.PIN_BUTTONS, layout.PIN_SERVICE)]

    def hold(self, button: int) -> None:
        """Presses a button (the last one is the service button)."""
        self._pins[button].set_input_value(False)

    def release(self, button: int) -> None:
        """Lets it go."""
        self._pins[button].release_input()


class Strip(Ws2812):
    """The peg LEDs; `pixels` is the last frame that arrived whole."""

    def __init__(self, mcu: Any, layout: ModuleType) -> None:
        super().__init__(gpio=layout.PIN_PIXELS, high_duty_threshold=0.5)  # ours are high for 30 and 70 hundredths
        self.shown_ns = 0.0  # when the last frame was whole
        self.edge_ns = -1e12
        self.on_wake: Callable[[], None] = lambda: None  # at the first edge of a frame
        self.on_pixels = self._latched
        self._mcu = mcu
        self.attach(mcu)
        mcu.gpio[layout.PIN_PIXELS].add_listener(self._edge)

    def _edge(self, _new: Any, _old: Any) -> None:
        first = self._mcu.clock.nanos - self.edge_ns >= LATCH_NS
        self.edge_ns = self._mcu.clock.nanos
        if first:
            self.on_wake()

    def _latched(self, _pixels: object) -> None:
        self.shown_ns = self._mcu.clock.nanos
