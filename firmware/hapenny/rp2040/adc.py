"""Reads sensors: selects a mux input, waits until it has settled, converts the three ADC inputs in turn.

Registers by address (RP2040 datasheet 2.3.1.7, 4.6.3, 4.9.6): a pass of 196 channels must take about a millisecond.
"""

import micropython


@micropython.viper
def scan_pass(selects: ptr8, channels: ptr16, steps: int, settle_us: int, out: ptr32):
    """One reading of each channel, added into `out`. The caller has checked every index.

    `selects`: group << 4 | mux input of each step, on GPIO 2 to 8. `channels`: three places in `out` a step, 0xFFFF
    for an input that is not read.
    """
    pins = ptr32(0xD0000010)  # 0: GPIO_OUT, 3: GPIO_OUT_XOR
    adc = ptr32(0x4004C000)  # 0: CS, 1: RESULT
    timer = ptr32(0x40054028)  # TIMERAWL, microseconds
    last = 0  # place of the reading that is still to be added, while the next one is being converted
    code = 0
    while steps:
        steps -= 1
        pins[3] = (pins[0] ^ (selects[0] << 2)) & 0x1FC
        start = timer[0]
        selects = ptr8(int(selects) + 1)
        while timer[0] - start <= settle_us:
            pass
        command = 0x5  # EN | START_ONE; the input stands in bit 12 and up
        while command < 0x3000:
            place = channels[0]
            channels = ptr16(int(channels) + 2)
            command += 0x1000
            if place == 0xFFFF:
                continue
            adc[0] = command - 0x1000
            out[last] += code
            last = place
            while not adc[0] & 0x100:
                pass
            code = adc[1]
    out[last] += code


@micropython.viper
def clear(sums: ptr32, count: int):
    """Zeroes."""
    while count:
        count -= 1
        sums[count] = 0


@micropython.viper
def shift_out(bits: int, count: int, data: int, clock: int, latch: int):
    """Sends the `count` low bits, highest first, to a chain of 74HC595; the three pins as bit masks."""
    pins = ptr32(0xD0000010)  # 1: GPIO_OUT_SET, 2: GPIO_OUT_CLR
    while count:
        count -= 1
        if (bits >> count) & 1:
            pins[1] = data
        else:
            pins[2] = data
        pins[1] = clock
        pins[2] = clock
    pins[1] = latch
    pins[2] = latch
