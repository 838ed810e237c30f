"""Win rates between two players under a preset and handicaps, and the handicap that makes a fair game."""

import math
from pathlib import Path
from typing import Any

import numpy as np
from hapenny.desktop import agree
from hapenny.rules import events, geometry, lying
from hapenny.rules import game as rules
from hapenny_link.errors import UserError

from hapenny_sim.physics import Physics, Rest
from hapenny_sim.physics.batch import ON_BOARD, Played, play
from hapenny_sim.players import Player, plan, quick_aim
from hapenny_sim.studies.cores import chunks, each

PIECE = 40  # games per job
SHOVES_MAX = 4000  # of one game; then it counts as undecided
LYING_MAX = 10
MARKS_MAX = 12  # of a handicap that is tried
PRESETS = ("encyclopedia", "pub", "quick", "pushpenny", "progressive")


class Match:
    """One game of two sides: the rules engine, and the discs where they truly lie."""

    def __init__(self, preset: str, handicaps: tuple[int, int], first: int) -> None:
        self.game = rules.Game()
        self.first = first  # the player (0, 1) who is side 0
        given = handicaps if first == 0 else handicaps[::-1]
        try:
            refused = self.game.do(agree.start(preset, (1, 1), {"order": "given"}, given)).refused
        except ValueError as error:
            raise UserError(str(error)) from error
        if refused:
            raise UserError(f"the preset {preset} cannot be started with these handicaps: {refused}.")
        self.rests: list[Rest] = []
        self.shoves = 0

    @property
    def over(self) -> bool:
        return self.game.state.winner >= 0 or self.shoves >= SHOVES_MAX

    @property
    def player(self) -> int:
        """Whose turn it is, 0 or 1."""
        return self.game.state.turn ^ self.first

    @property
    def winner(self) -> int:
        """The player who won, or -1."""
        return self.game.state.winner ^ self.first if self.game.state.winner >= 0 else -1

    def lying(self) -> np.ndarray:
        """The discs as the batch wants them."""
        out = np.full((LYING_MAX, 3), np.nan)
        for k, disc in enumerate(self.rests):
            out[k] = disc.x_mm, disc.y_mm, disc.on >= 0
        return out

    def take(self, played: Played, turn: int) -> None:
        """What a shove did, to the engine; and what follows from it: retakes, the end of the turn."""
        self.shoves += 1
        slots = [k for k in (*range(len(self.rests)), LYING_MAX) if played.fate[turn, k] == ON_BOARD]
        number = {slot: k for k, slot in enumerate(slots)}
        self.rests = [
            Rest(float(played.x_mm[turn, k]), float(played.y_mm[turn, k]), on=number.get(int(played.on[turn, k]), -1))
            for k in slots
        ]
        heaps = [(1 << disc.on) if disc.on >= 0 else 0 for disc in self.rests]
        discs = [
            events.disc(int(d.x_mm * 100 + 0.5), int(d.y_mm * 100 + 0.5), on=on)
            for d, on in zip(self.rests, heaps, strict=True)
        ]
        out = self.game.do(events.shove(discs, gone=LYING_MAX not in slots))
        if out.refused:
            raise RuntimeError(f"the engine refuses a shove of a study: {out.refused}")
        dead = [k for k, word in enumerate(out.verdicts) if lying.is_dead(self.game.state, word)]
        self.drop(dead)
        self.go_on(out)

    def go_on(self, out: rules.Outcome) -> None:
        """Take a short disc back, end the waiting, clear the board, as the rules allow."""
        asks = self.game.asks()
        if asks & rules.ASK_RETAKE and out.last and out.last[1] == geometry.SHORT and self.rests:
            if not self.game.do(events.retake()).refused:
                self.drop([len(self.rests) - 1])
            asks = self.game.asks()
        if asks & (rules.ASK_RECORD | rules.ASK_DECIDE) and not self.game.state.shoves:
            self.game.do(events.record())
            asks = self.game.asks()
        if asks & rules.ASK_CLEAR and self.game.state.winner < 0:
            self.game.do(events.clear())
            self.rests = []
        elif len(self.game.state.discs) < len(self.rests):  # progressive: scoring discs were drawn back
            kept = {(disc[0], disc[1]) for disc in self.game.state.discs}
            self.drop(
                [k for k, d in enumerate(self.rests) if (int(d.x_mm * 100 + 0.5), int(d.y_mm * 100 + 0.5)) not in kept]
            )

    def drop(self, gone: list[int]) -> None:
        """Take discs off; one that lay upon them lies on the board."""
        left = [k for k in range(len(self.rests)) if k not in gone]
        number = {slot: k for k, slot in enumerate(left)}
        self.rests = [Rest(d.x_mm, d.y_mm, d.angle_rad, number.get(d.on, -1)) for d in (self.rests[k] for k in left)]


def piece(players: tuple[Player, Player], preset: str, handicaps: tuple[int, int], count: int, seed: int,
          physics: Physics, think: bool) -> list[tuple[int, int]]:  # fmt: skip
    """(winner, shoves) of games played side by side, one shove of each at a time."""
    rng = np.random.default_rng(seed)
    matches = [Match(preset, handicaps, k % 2) for k in range(count)]
    while going := [m for m in matches if not m.over]:
        rows = []
        for m in going:
            player = players[m.player]
            aim = (
                plan(m.rests, m.game, player, physics, int(rng.integers(1 << 31)))
                if think
                else quick_aim(m.rests, m.game, physics, rng)
            )
            rows.append(player.spread(aim, 1, rng, physics))
        played = play(np.array(rows), physics, np.array([m.lying() for m in going]), threads=1)
        for k, m in enumerate(going):
            m.take(played, k)
    return [(m.winner, m.shoves) for m in matches]


def run(players: tuple[Player, Player], preset: str, handicaps: tuple[int, int], games: int, seed: int,
        physics: Physics, think: bool = False, scheduler: str | None = None) -> dict[str, Any]:  # fmt: skip
    """Win rates with their 95 % intervals, and how long games are."""
    if preset not in PRESETS:
        raise UserError(f"preset: {preset!r} is none of {', '.join(PRESETS)}.")
    Match(preset, handicaps, 0)  # refuses what cannot be played, before anything starts
    jobs = [
        (players, preset, handicaps, count, seed * 1_000_003 + first, physics, think)
        for first, count in chunks(games, PIECE)
    ]
    results = [game for part in each(piece, jobs, scheduler, f"playing, handicaps {handicaps}") for game in part]
    wins = [sum(winner == k for winner, _ in results) for k in (0, 1)]
    return {
        "players": [player.name for player in players],
        "preset": preset,
        "handicaps": list(handicaps),
        "games": games,
        "wins": wins,
        "rates": [interval(win, games) for win in wins],
        "undecided": games - sum(wins),
        "shoves_per_game": float(np.mean([shoves for _, shoves in results])),
    }


def fair(players: tuple[Player, Player], preset: str, games: int, seed: int, physics: Physics,
         scheduler: str | None = None) -> dict[str, Any]:  # fmt: skip
    """The marks given to the second player (or to the first, if that one is weaker) that bring the win rate
    nearest to a half; `fair` says whether a half is within its 95 % interval. `tried` holds the first player's win rate
    by marks given to the second (below 0: to the first).
    """
    tried: dict[int, dict[str, Any]] = {}

    def rate(marks: int) -> float:
        if marks not in tried:
            tried[marks] = run(
                players, preset, (max(-marks, 0), max(marks, 0)), games, seed, physics, scheduler=scheduler
            )
        return tried[marks]["rates"][0]["rate"]

    low, high = (0, MARKS_MAX) if rate(0) >= 0.5 else (-MARKS_MAX, 0)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rate(middle) > 0.5 else (low, middle)
    best = min((low, high), key=lambda marks: abs(rate(marks) - 0.5))
    return {
        "fair_handicap": {"player": players[best > 0].name, "number": 1 + (best > 0), "marks": abs(best)},
        "fair": tried[best]["rates"][0]["low"] <= 0.5 <= tried[best]["rates"][0]["high"],
        "at_it": tried[best],
        "tried": {str(marks): found["rates"][0]["rate"] for marks, found in sorted(tried.items())},
    }


def interval(wins: int, games: int) -> dict[str, float]:
    """A rate with Wilson's 95 % interval."""
    z, share = 1.96, wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return {"rate": share, "low": max(middle - half, 0.0), "high": min(middle + half, 1.0)}


def report(found: dict[str, Any]) -> str:
    """For people."""
    if "fair_handicap" in found:
        return report_fair(found)
    lines = [
        f"{found['games']} games of {found['preset']}, handicaps {found['handicaps']}, "
        f"{found['shoves_per_game']:.0f} shoves a game"
    ]
    for name, rate in zip(found["players"], found["rates"], strict=True):
        lines.append(f"  {name}: {rate['rate']:.1%} (95 %: {rate['low']:.1%} to {rate['high']:.1%})")
    return "\n".join(lines + ([f"  undecided: {found['undecided']}"] if found["undecided"] else []))


def report_fair(found: dict[str, Any]) -> str:
    """The answer first, then what it rests on."""
    gift, at_it = found["fair_handicap"], found["at_it"]
    what = f"{gift['marks']} mark{'s' * (gift['marks'] != 1)} to {gift['player']} (player {gift['number']})"
    if gift["marks"] == 0:
        what = "no handicap"
    verdict = "a fair game" if found["fair"] else f"nothing up to {MARKS_MAX} marks is fair; nearest to it"
    lines = [f"{verdict}: {what}", *report(at_it).splitlines(), f"{at_it['players'][0]} (player 1) wins, by handicap:"]
    for marks, rate in found["tried"].items():
        given = "even" if marks == "0" else f"{abs(int(marks))} to player {1 if int(marks) < 0 else 2}"
        lines.append(f"  {given:>14}: {rate:6.1%}  {'#' * round(40 * rate)}")
    return "\n".join(lines)


def plot(found: dict[str, Any], file: Path) -> None:
    """Win rates as bars, or by handicap."""
    from hapenny_sim.studies.draw import chart, save

    if "tried" in found:
        figure, axes = chart("Who wins, by handicap", "marks given to the second player", "first player's win rate")
        axes.plot([int(m) for m in found["tried"]], list(found["tried"].values()), "o-")
        axes.axhline(0.5, color="k", lw=0.7)
    else:
        figure, axes = chart(f"{found['games']} games of {found['preset']}", "", "win rate")
        rates = found["rates"]
        bars = [[r["rate"] - r["low"] for r in rates], [r["high"] - r["rate"] for r in rates]]
        axes.bar(
            [f"{name} ({k + 1})" for k, name in enumerate(found["players"])], [r["rate"] for r in rates], yerr=bars
        )
    axes.set_ylim(0, 1)
    save(figure, file)
