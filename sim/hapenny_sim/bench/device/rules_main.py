"""Runs inside MicroPython for `hapenny bench rules`: whole games on the engine; prints its figures as one JSON line."""

import gc
import json
import sys
import time

from hapenny.desktop import agree, exact
from hapenny.rules import events
from hapenny.rules.game import Game
from hapenny.rules.state import State

MIDDLE = [10160 + 3175 * bed + 1587 for bed in range(9)]


def turn_of(beds):
    """The events of one turn: a shove into each of `beds`, then the discs come off."""
    discs = [events.disc(5000 + 2600 * i, MIDDLE[bed]) for i, bed in enumerate(beds)]
    return [events.shove(discs[: count + 1]) for count in range(len(beds))] + [events.clear()]


def game_events():
    """A whole encyclopedia game: both sides fill bed after bed, extras go over, the first side wins."""
    found = [agree.start("encyclopedia", (1, 1))]
    order = [bed for bed in range(9) for _ in range(3)]
    for at in range(0, 27, 5):
        for _ in range(2):
            found += turn_of((order + order)[at : at + 5])
    return found


def play(game, happenings):
    for event in happenings:
        game.do(event)


def growth(game, happenings, games):
    """Bytes allocated beyond what was after the first hundred games."""
    for _ in range(100):
        play(game, happenings)
    gc.collect()
    before = gc.mem_alloc()
    for _ in range(games):
        play(game, happenings)
    gc.collect()
    return gc.mem_alloc() - before


def turn_us(rounds):
    """Microseconds for five shoves and taking the discs off, the mean over `rounds`."""
    game = Game()
    game.do(agree.start("pub", (1, 1), {"order": "given", "target": 9}))
    turn = turn_of((0, 2, 4, 6, 8))
    gc.collect()
    begun = time.ticks_us()
    for _ in range(rounds):
        for event in turn:
            game.do(event)
        if game.state.turn_no > 12:
            game.do(agree.start("pub", (1, 1), {"order": "given", "target": 9}))
    return time.ticks_diff(time.ticks_us(), begun) // rounds


def eight_sides():
    """A match for eight pairs in mid turn, with an interference open: as much as a state ever holds."""
    game = Game()
    game.do(agree.start("pub", (2,) * 8, {"order": "given"}, [7] * 8))
    for n in range(24):
        play(game, turn_of([(n + i) % 9 for i in range(5)]))
    play(game, turn_of((0, 1, 2, 3))[:-1])
    game.do(events.interfere([events.disc(5000, MIDDLE[5])]))
    return game


def held(game):
    """Heap bytes of the live state (without its history)."""
    values = game.state.snapshot()
    gc.collect()
    before = gc.mem_alloc()
    state = State()
    state.restore(values)
    gc.collect()
    found = gc.mem_alloc() - before
    return found if state.players else 0


def undo_us(game, times):
    begun = time.ticks_us()
    for _ in range(times):
        game.do(events.undo())
    return time.ticks_diff(time.ticks_us(), begun) // times


def main(games):
    happenings = game_events()
    game = Game()
    play(game, happenings)
    found = {
        "games": games,
        "events_per_game": len(happenings),
        "winner": game.state.winner,
        "growth_bytes": growth(game, happenings, games),
        "turn_us": turn_us(200),
    }
    match = eight_sides()
    found["live_bytes_8_sides"] = len(exact.live(match.state))
    found["live_heap_bytes_8_sides"] = held(match)
    found["history_bytes_8_sides"] = match.tape.end
    found["ledger_bytes_8_sides"] = match.state.ledger.end
    found["turns_8_sides"] = match.state.turn_no
    found["undo_us"] = undo_us(match, 4)
    print(json.dumps(found))


main(int(sys.argv[1]))
