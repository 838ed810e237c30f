"""Deployment without a board: what is copied, where an image is found, what is said when something is missing."""

import subprocess
import sys
from pathlib import Path

import pytest
from hapenny_host import deploy
from hapenny_host.commands import usb
from hapenny_link import firmware_files, image
from hapenny_link.errors import UserError
from hapenny_link.firmware_files import BoardFile, carried, sources

UF2 = b"UF2\n" + bytes(508)


def test_only_what_changed_is_copied_and_what_is_gone_is_deleted():
    files = [BoardFile("hapenny/a.mpy", b"1"), BoardFile("hapenny/b.mpy", b"2")]
    there = {"hapenny/a.mpy": files[0].sha256, "hapenny/b.mpy": "old", "hapenny/c.mpy": "gone"}
    copy, delete = deploy.differences(files, there)
    assert [file.path for file in copy] == ["hapenny/b.mpy"]
    assert delete == ["hapenny/c.mpy"]


def test_a_board_gets_files_only_where_its_image_has_no_modules_of_ours(tmp_path, monkeypatch):
    """The name of a module may lie across two blocks of an image."""
    monkeypatch.setattr(firmware_files, "compiled", lambda layout: [BoardFile(layout, b"")])
    data = (b"." * 250 + image.OURS).ljust(512, b".")
    ours, other = tmp_path / "ours.uf2", tmp_path / "other.uf2"
    ours.write_bytes(b"".join((b"UF2\n" + bytes(28) + part).ljust(512, b"\0") for part in (data[:256], data[256:])))
    other.write_bytes(UF2)
    assert carried(ours) == []
    assert [file.path for file in carried(ours, "lite") + carried(other)] == ["lite", "standard"]


def test_no_desktop_module_goes_to_a_board():
    names = set(sources())
    assert {"hapenny/app", "hapenny/layout", "hapenny/rp2040/start", "hapenny/kernels/viper"} <= names
    assert "hapenny/layout_lite" not in names and not any("desktop" in name for name in names)


def test_the_lite_board_gets_its_own_layout_under_the_same_name():
    assert sources("lite")["hapenny/layout"].name == "layout_lite.py"


def test_the_image_is_the_one_named_then_the_variable_then_the_cache(tmp_path, monkeypatch):
    named, variable, cached = (tmp_path / name for name in ("named.uf2", "variable.uf2", "cached.uf2"))
    for path in (named, variable, cached):
        path.write_bytes(UF2)
    monkeypatch.setattr(image, "cached", lambda name="": cached)
    monkeypatch.setenv(image.VARIABLE, str(variable))
    assert image.find(str(named)) == named
    assert image.find() == variable
    monkeypatch.delenv(image.VARIABLE)
    assert image.find() == cached
    cached.unlink()
    assert image.find() is None
    with pytest.raises(UserError, match="there is no image of the board's firmware: put"):
        image.needed()


@pytest.mark.parametrize("content", [b"", b"no image", UF2[:-1]])
def test_what_is_no_image_is_refused_in_a_sentence(tmp_path, content):
    path = tmp_path / "x.uf2"
    path.write_bytes(content)
    with pytest.raises(UserError, match="is no UF2 image"):
        image.find(str(path))


def test_without_a_network_the_person_is_told_where_to_put_an_image(tmp_path, monkeypatch):
    monkeypatch.setattr(image, "cached", lambda name: tmp_path / "hapenny" / name)
    with pytest.raises(UserError, match="put MicroPython's image for the Pico at"):
        image.download("http://127.0.0.1:9/none.uf2")
    assert not (tmp_path / "hapenny" / "RPI_PICO.uf2").exists()


def test_an_image_goes_to_a_mounted_bootsel_drive(tmp_path, monkeypatch):
    drive = tmp_path / "RPI-RP2"
    drive.mkdir()
    (drive / "INFO_UF2.TXT").write_text("UF2 Bootloader")
    monkeypatch.setattr(deploy, "DRIVES", (str(drive),))
    source = tmp_path / "x.uf2"
    source.write_bytes(UF2)
    assert deploy.install_image(source, lambda _: None)
    assert (drive / "x.uf2").read_bytes() == UF2
    monkeypatch.setattr(deploy, "DRIVES", ())
    assert not deploy.install_image(source, lambda _: None)


def test_a_line_of_the_self_test_is_understood():
    check = deploy.check_of("CHECK hall_noise 12 1 45 code/10 pass hall_7")
    assert (check.name, check.value, check.verdict, check.note) == ("hall_noise", 12.0, "pass", "Hall 8 of bed 1")


@pytest.mark.parametrize(("line", "note"), [
    ("hall_stuck 2 0 0 channels fail 47,190", "Hall 8 of bed 3, Hall 11 of the approach row"),
    ("hall_stuck 0 0 0 channels pass -", "-"), ("light_returned 3 40 4095 code fail segment_20", "segment 3 of line 4"),
])  # fmt: skip
def test_the_self_test_names_a_sensor_as_the_board_s_health_does(line, note):
    """By bed and place, so that it can be found and mended."""
    assert deploy.check_of(f"CHECK {line}").note == note


@pytest.mark.parametrize(("command", "clue"), [
    (["flash"], "hold BOOTSEL while plugging it in, and run this again"),
    (["selftest"], "'hapenny flash' makes one of a Pico"),
    (["flash", "--port", "noBoard"], "no board noBoard is plugged in; 'hapenny boards' lists"),
])  # fmt: skip
def test_without_a_board_the_person_is_told_what_to_do(command, clue):
    """What is true of that command: only `flash`, with no port named, finds a Pico that waits for its image."""
    if deploy.boards():
        pytest.skip("a board is plugged in")
    program = Path(sys.executable).parent / "hapenny"
    done = subprocess.run([program, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert clue in done.stderr
    assert ("BOOTSEL" in done.stderr) == (command == ["flash"])


def test_flash_looks_for_a_board_before_it_compiles_anything(monkeypatch):
    monkeypatch.setattr(usb, "compiled", lambda _: pytest.fail("compiled for nobody"))
    with pytest.raises(UserError, match="no board NOSUCHBOARD is plugged in"):
        usb.flash("NOSUCHBOARD")
