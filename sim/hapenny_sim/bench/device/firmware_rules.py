"""Runs on a board, or in the Unix port: times what comes after the sensors: rules, journal, link."""

from firmware_clock import mean_us, step, tell, timed
from firmware_match import pub_match
from hapenny.keeping.journal import Journal
from hapenny.link.link import Link
from hapenny.rules import events
from hapenny.rules.game import Game

MIDDLE = [10160 + 3175 * bed + 1587 for bed in range(9)]


def a_turn():
    """The start of a match, and a turn of it: five shoves, and the discs come off."""
    discs = [events.disc(5000 + 2600 * i, MIDDLE[2 * i]) for i in range(5)]
    turn = [events.shove(discs[: count + 1]) for count in range(5)] + [events.clear()]
    return pub_match(9), turn


class Nobody:
    """A stream that takes everything and says nothing."""

    def read(self):
        return b""

    def write(self, data):
        return len(data)


def rules(found):
    step("rules")
    game = Game()
    start, turn = a_turn()
    game.do(start)

    def play():
        for event in turn:
            game.do(event)

    found["rules_turn_us"] = mean_us(play, 2)
    found["shove_us"], found["shove_alloc"] = timed(game.do, turn[0])
    found["encode_us"] = mean_us(events.encode, 2, turn[4])
    found["decode_us"] = mean_us(events.decode, 2, events.encode(turn[4]))


def journal(found):
    """Appends on flash that take no time to erase; the mean of a segment's worth, and the worst."""
    step("journal")
    kept = Journal("bench_journal")
    kept.begin_match()
    start, turn = a_turn()
    data = events.encode(turn[4])
    kept.append(events.encode(start))
    took = [timed(kept.append, data)[0] for _ in range(6)]
    found["append_us"], found["append_worst_us"] = sum(took) // len(took), max(took)
    found["tidy_us"], _ = timed(kept.tidy)
    return kept


def link(found, kept):
    step("link")
    line = Link(Nobody(), kept, {"fw": "0", "board": "bench", "lay": "0", "cal": "0"}, {})
    now = [0]

    def poll():
        now[0] += 5
        line.poll(now[0])

    found["link_idle_us"] = mean_us(poll, 4)
    line.present = True
    line.limit = 1 << 20
    line.cursor = 1
    found["link_event_us"] = mean_us(poll, 4)


def run(moving=False):
    found = {}
    rules(found)
    link(found, journal(found))
    tell(found)
