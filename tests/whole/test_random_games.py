"""Random games on the simulated board: the firmware's score is the engine's score of where the discs truly lie.

HAPENNY_GAMES=10 make test ARGS=tests/whole    # as many as wanted; three by default
"""

import os
import random

import pytest
from hapenny.desktop import agree
from hapenny.rules import events, geometry
from hapenny.rules.game import ASK_CLEAR, ASK_RETAKE, Game
from hapenny_sim.boards.lockstep import Lockstep

GAMES = int(os.environ.get("HAPENNY_GAMES", "3"))
TURNS = 10  # five a side
LINE_SLACK_HMM = 80  # nearer than this to a bed line's limit a doubt, or a call of the light's own, is right too
SIDE_SLACK_HMM = 250


def near_a_limit(x: int, y: int) -> bool:
    """Whether a disc's true place is so near a limit that the board may say something else."""
    for line in range(10):
        apart = abs(y - (10160 + 3175 * line))
        if abs(apart - 1310) < LINE_SLACK_HMM:
            return True
    return min(abs(x - 4485), abs(x - 32345)) < SIDE_SLACK_HMM


Rest = tuple[list[tuple[int, int]], bool]  # places of the living discs, the shoved one last; whether that one is gone


def play_turn(board: Lockstep, chance: random.Random) -> tuple[list[Rest], bool]:
    """Five shoves, dead discs taken off at once; what the rules must be told of each, and whether a disc lay close."""
    rests = []
    close = False
    for _ in range(5):
        shoved = board.table.free_disc()
        board.table.shove(chance.uniform(70, 298), chance.gauss(1.05, 0.17), chance.gauss(0, 0.06), chance.gauss(0, 15))
        board.rest()
        lying = {disc.which: (round(disc.x_mm * 100), round(disc.y_mm * 100)) for disc in board.table.lying}
        last = [lying.pop(shoved)] if shoved in lying else []
        rests.append(([*lying.values(), *last], not last))
        close = close or any(near_a_limit(x, y) for x, y in rests[-1][0])
        take_dead_off(board)
    return rests, close


def take_dead_off(board: Lockstep) -> None:
    for k in reversed(range(len(board.table.lying))):
        x, y = board.table.discs()[k]
        if geometry.verdict(round(x * 100), round(y * 100)) in (geometry.OVER, geometry.WIDE):
            board.table.take_off(k)
            board.rest()


@pytest.mark.parametrize("seed", range(GAMES))
def test_board_and_engine_agree_wherever_discs_are_clear_of_the_limits(seed: int) -> None:
    """Ten turns: marks after each are those of the engine fed the true places."""
    chance = random.Random(seed)
    board = Lockstep(seed=1)
    try:
        assert board.command("event", events.encode(agree.start("encyclopedia", (1, 1)))) == ""
        mirror = Game()
        judged = 0
        for turn in range(TURNS):
            before, side = marks(fold(mirror, board)), mirror.state.turn
            rests, close = play_turn(board, chance)
            finish(board, mirror)
            if not close:
                assert marks(mirror) == expected(before, side, rests), f"seed {seed}, turn {turn + 1}: {rests}"
                judged += 1
            board.table.clear()
            board.rest()
        print(f"seed {seed}: {judged} of {TURNS} turns clear of every limit, all agree")
    finally:
        board.close()


def fold(mirror: Game, board: Lockstep) -> Game:
    """Brings the mirror up to the board's events."""
    known = getattr(mirror, "folded", 0)
    for event in board.sink.events[known:]:
        assert mirror.do(events.decode(event.data)).refused == ""
    mirror.folded = len(board.sink.events)  # type: ignore[attr-defined]
    return mirror


def finish(board: Lockstep, mirror: Game) -> None:
    """Ends the turn: doubts are answered no, a last short disc is left where it lies."""
    fold(mirror, board)
    for _ in range(12):
        if mirror.asks() & ASK_CLEAR:
            return
        code = board.command("answer", b"\x00") if board.picture.state == "asking" else board.command("next")
        assert code == ""
        fold(mirror, board)
    raise AssertionError(f"the turn does not end: {board.picture}")


def marks(game: Game) -> list[list[int]]:
    return [list(game.state.marks[side * 9 : side * 9 + 9]) for side in range(2)]


def expected(before: list[list[int]], side: int, rests: list[Rest]) -> list[list[int]]:
    """Marks after a turn by the engine alone: started with the marks before, fed every rest."""
    twin = Game()
    order = [side, 1 - side]
    twin.do(agree.start("encyclopedia", (1, 1), marks={i: before[order[i]] for i in range(2)}))
    for places, gone in rests:
        assert twin.do(events.shove(places, gone=gone)).refused == ""
    if twin.asks() & ASK_RETAKE:
        twin.do(events.record())
    after = marks(twin)
    return [after[order.index(i)] for i in range(2)]
