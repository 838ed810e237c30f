"""mpremote's way to a board, over the emulated board's pty: in, copy, verify, out; the self test; the watchdog."""

import pytest
from emulator import board_with, run_program

pytestmark = [pytest.mark.xdist_group("emulated"), pytest.mark.slow]


def test_firmware_is_copied_verified_and_service_mode_left():
    """What `hapenny flash` does, on a board whose program runs with an armed watchdog."""
    from hapenny_host import deploy
    from hapenny_link.firmware_files import BoardFile
    from hapenny_sim.boards.emulated import Runner

    board = board_with("import time\nwhile True: time.sleep_ms(5)\n")
    runner = Runner(board)
    try:
        lines: list[str] = []
        files = [BoardFile("hapenny/version.mpy", b"changed"), BoardFile("main.py", b"print('new')\n")]
        with deploy.Rescued(runner.pty.path) as rescued:
            assert "MicroPython" in rescued.version()
            deploy.flash(rescued, files, lines.append, lambda done, total: None)
            assert "service" in rescued.run("import os; print(os.listdir())")
            rescued.leave()
        assert "2 verified" in lines[-1]
        root = board.files()
        assert root.listdir("/hapenny") == ["version.mpy"] or set(root.listdir("/hapenny")) <= {
            "version.mpy",
            "rules",
            "rp2040",
        }
        assert "service" not in root.listdir("/")
    finally:
        runner.close()


def test_the_self_test_of_a_sound_board_passes():
    from hapenny_host.deploy import check_of

    _, text = run_program(
        "from hapenny import layout, selftest\nfrom hapenny.rp2040.board import Hardware\n"
        "selftest.SHOW_MS = 5\nselftest.main(Hardware(layout), layout)\n",
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
