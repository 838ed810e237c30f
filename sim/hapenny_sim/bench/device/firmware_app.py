"""Runs on a board, or in the Unix port: the application as it is wired, a shove while it runs, heap and allocations.

`PHASE shove` asks whoever runs it for a shove.
"""

import gc
import time

from firmware_clock import step, tell

VERDICT_US = 100_000  # a loop that takes longer than this has a verdict in it


def start_match(board):
    from hapenny.rules import setup

    board.scorer.propose(setup.start("pub", (1, 1), {"order": "given", "target": 3}))


class Watched:
    """A call of the application: the longest and the most bytes that it ever allocated."""

    def __init__(self, call):
        self.call = call
        self.most = self.longest_us = 0

    def __call__(self, *arguments):
        before = gc.mem_alloc()
        begun = time.ticks_us()
        result = self.call(*arguments)
        self.longest_us = max(self.longest_us, time.ticks_diff(time.ticks_us(), begun))
        self.most = max(self.most, gc.mem_alloc() - before)
        return result


def watch(board):
    """Watches what must not allocate: scan, locate and track in one, and the pegs."""
    board.tracker.tick = Watched(board.tracker.tick)
    board.pegs.render = Watched(board.pegs.render)
    board.hardware.show = Watched(board.hardware.show)
    return board.tracker.tick, board.pegs.render, board.hardware.show


def watch_verdict(board, found):
    """Every part of a verdict, and what follows it until the pegs show it."""
    parts = {
        "verdict_frame_us": (board.scan, "verdict"),
        "verdict_refine_us": (board.locator, "refine"),
        "verdict_judge_us": (board.judge, "judge"),
        "verdict_settle_us": (board.tracker, "settle"),
        "verdict_follow_us": (board.locator, "follow"),
        "verdict_compare_us": (board.tracker, "compare"),
        "verdict_scorer_us": (board.scorer, "settled"),
        "verdict_append_us": (board.journal, "append"),
        "verdict_report_us": (board, "report"),
        "verdict_link_us": (board.link, "poll"),
    }
    for name in parts:
        place, call = parts[name]
        watched = Watched(getattr(place, call))
        setattr(place, call, watched)
        parts[name] = watched

    def told():
        for name in parts:
            found[name] = parts[name].longest_us

    return told


def loops(board, limit_ms, found):
    """The application's own loop, without the collector, until an event has been recorded and a little longer."""
    worst = tracking = 0
    watched = watch(board)
    told = watch_verdict(board, found)
    gc.collect()
    gc.disable()
    begun = time.ticks_ms()
    before = board.journal.last_seq
    after = 0
    while after < 4 and time.ticks_diff(time.ticks_ms(), begun) < limit_ms:
        started = time.ticks_us()
        board.loop()
        took = time.ticks_diff(time.ticks_us(), started)
        worst = max(worst, took)
        if board.journal.last_seq > before:
            after += 1
        elif board.tracker.active and took < VERDICT_US:
            tracking = max(tracking, took)
    gc.enable()
    found["loop_max_us"], found["track_loop_max_us"] = worst, tracking
    found["alloc_per_cycle"] = max([part.most for part in watched])
    found["shove_recorded"] = board.journal.last_seq - before
    told()


def settle(board, limit_ms):
    """Until the first picture after power-up stands."""
    begun = time.ticks_ms()
    while board.first and time.ticks_diff(time.ticks_ms(), begun) < limit_ms:
        board.loop()


def run(moving=True):
    """All figures; `moving` when somebody shoves as the phases say."""
    gc.threshold(16384)  # importing fills the heap with what is garbage at once: else no room in one piece is left
    from hapenny import layout
    from hapenny.rp2040.board import Hardware

    hardware = Hardware(layout)  # before the application is imported, as rp2040/start.py does it: the heap is narrow
    from hapenny.app import start

    running = start(hardware, layout)
    found = {}
    step("settle")
    settle(running, 4000)
    gc.collect()
    found["heap_live"], found["heap_free"] = gc.mem_alloc(), gc.mem_free()
    if moving:
        start_match(running)
        step("shove")
        print("PHASE shove")
        loops(running, 6000, found)
    tell(found)
