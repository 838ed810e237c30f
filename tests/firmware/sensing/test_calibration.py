"""Calibration kept as bytes, tares, and what is refused."""

import struct
from types import SimpleNamespace

import pytest
from hapenny import layout, layout_lite
from hapenny.sensing.calibration import Calibration, straight
from hypothesis import given
from hypothesis import strategies as st


def taught() -> Calibration:
    calibration = Calibration(layout)
    for k in range(layout.HALLS):
        calibration.move(k, k % 50 - 25, 20 - k % 40, (k % 9 - 4) / 200)
        calibration.scales[2 + 2 * k] = 13000 + k
    for s in range(layout.LIGHTS):
        calibration.full[s], calibration.blur[s] = 30000 + s, 8 + s % 20
    calibration.level, calibration.date, calibration.quality_ut = 1, 9800, 48
    calibration.gain_error_q10, calibration.place_error_hmm, calibration.tilt_error_q10 = 6, 5, 13
    calibration.magnet_um, calibration.light_error_q10, calibration.light_noise_hmm2 = 55, 80, 700
    return calibration


def test_what_was_learned_survives_being_kept():
    """decode(encode()) gives the same calibration, level, date and quality."""
    data = taught().encode()
    again = Calibration(layout)
    again.decode(data)
    assert again.encode() == data
    assert (again.level, again.date, again.quality_ut) == (1, 9800, 48)
    assert again.errors() == (6, 5, 13, 55, 80, 700)


@given(st.integers(0, 1381), st.integers(1, 255))
def test_a_damaged_calibration_is_refused_and_changes_nothing(at, flip):
    """One flipped byte anywhere: one sentence, and the board plays on with what it had."""
    data = bytearray(taught().encode())
    data[at % len(data)] ^= flip
    fresh = Calibration(layout)
    before = fresh.encode()
    with pytest.raises(ValueError):
        fresh.decode(bytes(data))
    assert fresh.encode() == before


@pytest.mark.parametrize("data", [b"", b"HC", b"nonsense" * 200])
def test_rubbish_is_no_calibration(data):
    """Too short, or something else."""
    with pytest.raises(ValueError, match=r"calibrat"):
        Calibration(layout).decode(data)


def test_another_layouts_calibration_is_refused():
    """A lite board's calibration says so on a standard board."""
    with pytest.raises(ValueError, match="another layout"):
        Calibration(layout).decode(Calibration(layout_lite).encode())


def test_another_version_is_refused():
    """The sentence names both versions."""
    data = bytearray(taught().encode())
    data[2] = 9
    with pytest.raises(ValueError, match="version 9"):
        Calibration(layout).decode(bytes(data))


def test_quiet_tares_are_averaged_and_a_step_is_taken_at_once():
    """A zero that moved by noise goes a quarter of the way; one that moved far is believed."""
    calibration = Calibration(layout)
    frame = [2048 * 64] * layout.HALLS
    calibration.tare(frame, 64)
    first = calibration.scales[1]
    calibration.tare([2049 * 64] * layout.HALLS, 64)
    assert calibration.scales[1] - first == pytest.approx((straight(2049 * 16) - first) / 4, abs=1)
    calibration.tare([2100 * 64] * layout.HALLS, 64)
    assert calibration.scales[1] == straight(2100 * 16)


def test_e11_is_straightened_on_both_sides_of_a_wide_code():
    """Across a wide code the straightened value steps by the nine codes that are missing there."""
    assert straight(1560 * 16) - straight(1510 * 16) == pytest.approx(59 * 16, abs=12)
    assert straight(1100 * 16) - straight(1050 * 16) == pytest.approx(50 * 16, abs=12)


def test_head_is_what_the_journal_page_says():
    """Two letters, version, level, layout CRC, date, quality."""
    letters, version, level, crc, date, quality = struct.unpack_from("<2sBBIIH", taught().encode())
    assert (letters, version, level, crc, date, quality) == (b"HC", 2, 1, layout.LAYOUT_CRC, 9800, 48)
    assert crc == SimpleNamespace(**vars(layout)).LAYOUT_CRC


def test_a_hall_left_out_keeps_what_it_learned():
    """Taken in again it has its own depth, and what is stored knows nothing of its being out."""
    calibration = taught()
    before = calibration.encode()
    calibration.leave_out(7)
    assert calibration.places[3 * 7 + 2] == 0 and calibration.encode() == before
    calibration.take_in(7)
    assert calibration.places[3 * 7 + 2] == taught().places[3 * 7 + 2] != 4096
