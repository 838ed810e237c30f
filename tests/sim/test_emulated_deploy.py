"""mpremote's way to a board, over the emulated board's pty: in, copy, verify, out; the self test; the watchdog."""

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from emulator import board_with, image_or_skip, run_program
from hapenny_link.firmware_files import compiled

pytestmark = [pytest.mark.xdist_group("emulated"), pytest.mark.slow, pytest.mark.timeout(1500)]
HAPENNY = str(Path(sys.executable).with_name("hapenny"))


@contextmanager
def running(board):
    """The board in a thread of its own; gives the path of its serial line."""
    from hapenny_sim.boards.emulated import Runner

    runner = Runner(board)
    try:
        yield runner.pty.path
    finally:
        runner.close()


def hapenny(*words):
    """A command as a person gives it."""
    return subprocess.run([HAPENNY, *words], capture_output=True, text=True, check=False, timeout=1200)


def test_hapenny_flash_and_selftest_on_a_board_that_is_playing():
    """The commands themselves: into a running application, copy, delete, verify, restart, hello, self test."""
    there = {file.path: file.content for file in compiled()}
    board = board_with(files=there | {"hapenny/rp2040/pixels_plain.mpy": b"another", "hapenny/gone.mpy": b"old"})
    assert board.until(lambda: b'"hello"' in board.usb.received, 10)
    board.usb.take()
    with running(board) as port:
        done = hapenny("flash", "--files", "--port", port)
        assert done.returncode == 0, done.stderr + done.stdout
        assert "1 files copied, 1 deleted" in done.stderr
        assert "runs firmware" in done.stderr
        assert "fail" not in done.stdout
        assert len(done.stdout.splitlines()) >= 15
        done = hapenny("selftest", "--port", port, "--json")
        assert done.returncode == 0, done.stderr + done.stdout
        assert {check["verdict"] for check in json.loads(done.stdout).values()} <= {"pass", "marginal"}
    root = board.files()
    assert "gone.mpy" not in root.listdir("/hapenny")
    assert "service" not in root.listdir("/")


def test_service_over_the_link_ends_at_a_prompt_and_a_restart_without_the_flag_plays_again():
    image_or_skip()
    from hapenny_sim.boards.emulated_lockstep import EmulatedLockstep

    host = EmulatedLockstep()
    board = host.board
    host.conversation.command("service", b"", lambda code: None)
    host.board.usb.send(host.conversation.tick(host.table.now_s))
    assert board.until(lambda: board.resets == 1, 2)
    board.usb.take()
    assert board.until(lambda: b"service mode" in board.usb.received, 5), bytes(board.usb.received)
    assert "service" in board.files().listdir("/")
    board.advance(0.5)
    board.usb.take()
    board.usb.send(b"import os, machine\r\nos.remove('service')\r\nmachine.reset()\r\n")
    assert board.until(lambda: board.resets == 2, 2)
    assert board.until(lambda: b'"hello"' in board.usb.received, 5)


CRASHING = """
from hapenny import pegs
from hapenny.rp2040 import sensors
scan = sensors.Sensors.scan_halls
calls = [0]
def lit(self, scorer, now_ms, trouble):
    self.pixels[0] = 9
def broken(self, out, passes):
    calls[0] += 1
    if calls[0] > 30:
        raise ValueError("a broken wire")
    scan(self, out, passes)
pegs.Pegs.render = lit
sensors.Sensors.scan_halls = broken
from hapenny.rp2040.start import start
start()
"""


def test_a_crash_leaves_the_pegs_dark_its_reason_in_the_log_and_the_board_starts_again():
    """After thirty looks the sensors fail: pegs dark, traceback kept once, restart after two seconds."""
    board = board_with(CRASHING)
    assert board.until(lambda: (0, 9, 0) in board.strip.pixels, 3)
    assert board.until(lambda: b"a broken wire" in board.usb.received, 3)
    board.advance(0.1)
    assert not any(any(pixel) for pixel in board.strip.pixels)
    assert board.until(lambda: board.resets == 2, 9)
    with board.files().open("crash.log", "r") as file:
        log = file.read()
    assert log.count("a broken wire") == 1
    assert log.startswith("Traceback")


def test_firmware_is_copied_verified_and_service_mode_left():
    """What `hapenny flash` does, on a board whose program runs with an armed watchdog."""
    from hapenny_host import deploy
    from hapenny_link.firmware_files import BoardFile

    board = board_with("import time\nwhile True: time.sleep_ms(5)\n")
    with running(board) as port:
        lines: list[str] = []
        files = [BoardFile("hapenny/version.mpy", b"changed"), BoardFile("main.py", b"print('new')\n")]
        with deploy.Rescued(port) as rescued:
            assert "MicroPython" in rescued.version()
            deploy.flash(rescued, files, lines.append, lambda done, total: None)
            assert "service" in rescued.run("import os; print(os.listdir())")
            rescued.leave()
        assert "2 verified" in lines[-1]
        root = board.files()
        assert [name for name in root.listdir("/hapenny") if name.endswith(".mpy")] == ["version.mpy"]
        assert "service" not in root.listdir("/")


def test_the_self_test_of_a_sound_board_passes():
    from hapenny_host.deploy import check_of
    from hapenny_link.firmware_files import selftest_program

    _, text = run_program(
        selftest_program().replace("SHOW_MS = 300", "SHOW_MS = 5"),
        6,
    )
    checks = [check_of(line) for line in text.splitlines() if line.startswith("CHECK ")]
    assert len(checks) >= 15
    assert [check for check in checks if check.verdict == "fail"] == []


def test_a_watchdog_armed_earlier_is_stopped_and_one_that_starves_restarts_the_board():
    board = board_with(
        "import machine, time\nfrom hapenny.rp2040.rescue import disarm_watchdog\n"
        "machine.WDT(timeout=60)\ndisarm_watchdog()\ntime.sleep_ms(150)\n"
        "print('ALIVE')\nmachine.WDT(timeout=60)\nwhile True: pass\n"
    )
    assert board.until(lambda: b"ALIVE" in board.usb.received, 2)
    assert board.resets == 0
    assert board.until(lambda: board.resets > 0, 1)
