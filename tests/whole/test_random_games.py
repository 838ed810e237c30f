"""Random games on the simulated board: the firmware's score is the engine's score of where the discs truly lie."""

import random

import pytest
from hapenny.rules import events, setup
from hapenny.rules.game import ASK_CLEAR, ASK_RETAKE, Game
from hapenny_sim.boards.lockstep import Lockstep

GAMES = 10
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


def true_discs(board: Lockstep) -> list[tuple[int, int]]:
    return [(round(x * 100), round(y * 100)) for x, y in board.table.discs()]


def play_turn(board: Lockstep, chance: random.Random) -> tuple[list[list[tuple[int, int]]], bool]:
    """Five shoves; returns the true places after each, and whether one lay too near a limit at the end of any."""
    places = []
    close = False
    for _ in range(5):
        board.table.shove(chance.uniform(70, 298), chance.gauss(1.05, 0.17), chance.gauss(0, 0.06), chance.gauss(0, 15))
        board.rest()
        places.append(true_discs(board))
        close = close or any(near_a_limit(x, y) for x, y in places[-1])
    return places, close


@pytest.mark.parametrize("seed", range(GAMES))
def test_board_and_engine_agree_wherever_discs_are_clear_of_the_limits(seed: int) -> None:
    """Ten turns: marks after each are those of the engine fed the true places."""
    chance = random.Random(seed)
    board = Lockstep(seed=seed + 1)
    try:
        assert board.command("event", events.encode(setup.start("encyclopedia", (1, 1)))) == ""
        mirror = Game()
        judged = 0
        for turn in range(TURNS):
            before, side = marks(fold(mirror, board)), mirror.state.turn
            places, close = play_turn(board, chance)
            finish(board, mirror)
            if not close:
                assert marks(mirror) == expected(before, side, places), f"seed {seed}, turn {turn + 1}: {places}"
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


def expected(before: list[list[int]], side: int, places: list[list[tuple[int, int]]]) -> list[list[int]]:
    """Marks after a turn by the engine alone: started with the marks before, fed every rest."""
    twin = Game()
    order = [side, 1 - side]
    twin.do(setup.start("encyclopedia", (1, 1), marks={i: before[order[i]] for i in range(2)}))
    dead: set[tuple[int, int]] = set()
    for rest in places:
        living = [place for place in rest if place not in dead]
        outcome = twin.do(events.shove(living))
        assert outcome.refused == ""
        alive = [(d[0], d[1]) for d in twin.state.discs]
        dead |= {place for place in living if place not in alive}
    if twin.asks() & ASK_RETAKE:
        twin.do(events.record())
    after = marks(twin)
    return [after[order.index(i)] for i in range(2)]
