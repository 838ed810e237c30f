"""The study of play: jobs for the cores, and the figures that they make together."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hapenny_link.errors import UserError

from hapenny_sim.physics import Physics
from hapenny_sim.sensors.build import BUILDS
from hapenny_sim.studies import draw
from hapenny_sim.studies.accuracy import LAYOUTS
from hapenny_sim.studies.calls import upper_95
from hapenny_sim.studies.cores import chunks, each
from hapenny_sim.studies.play import people
from hapenny_sim.studies.play.board import PlayBoard
from hapenny_sim.studies.play.truth import PER_DISC, PER_SHOVE
from hapenny_sim.studies.play.turn import Session, Tally

PIECE = 250  # shoves of one made board
BOARDS = 40  # made boards at most: more shoves are more on each
TOLD = 40  # faults that the report for people lists


@dataclass(frozen=True)
class Settings:
    """What is played."""

    style: str = "mixed"
    preset: str = ""  # "": what the style is mostly seen with
    build: str = "good"
    layout: str = "standard"
    shoves: int = 1000
    seed: int = 0


def checked(settings: Settings) -> Settings:
    """The settings, or a UserError that says which of them cannot be."""
    people.checked(settings.style, settings.preset)
    for name, known in (("layout", LAYOUTS), ("build", BUILDS)):
        if getattr(settings, name) not in known:
            raise UserError(f"--{name} {getattr(settings, name)} is not known; choose one of {', '.join(known)}.")
    return settings


def jobs(settings: Settings) -> list[tuple[Settings, int, int]]:
    """(settings, number of the first shove, shoves) of every made board."""
    size = max(PIECE, -(-settings.shoves // BOARDS))
    return [(settings, first, count) for first, count in chunks(settings.shoves, size)]


def board_of(settings: Settings, first: int) -> PlayBoard:
    """The made board on which the shoves from number `first` on are made."""
    return PlayBoard(settings.layout, settings.build, settings.seed * 100_003 + first % 99_991)


def session(settings: Settings, first: int, count: int) -> Session:
    """People at that board, before their first turn."""
    rng = np.random.default_rng([settings.seed, first, 0x97A7])
    return Session(board_of(settings, first), settings.style, settings.preset, rng, count)


def play(settings: Settings, first: int, count: int) -> Tally:
    """Turns at one made board until `count` shoves are made."""
    at = session(settings, first, count)
    try:
        while at.tally.shoves < count:
            at.turn()
        return at.tally
    finally:
        at.board.close()


def run(settings: Settings, scheduler: str | None = None) -> tuple[dict[str, Any], list[Tally]]:
    """The whole study on all cores, or on a Dask cluster: (figures, tallies of the made boards)."""
    work = jobs(settings)
    tallies = each(play, work, scheduler, "playing")
    return figures(settings, work, tallies), tallies


def figures(settings: Settings, work: list[tuple[Settings, int, int]], tallies: list[Tally]) -> dict[str, Any]:
    """All boards together, with the upper ends of the one-sided 95 % intervals."""
    shoves, turns = sum(t.shoves for t in tallies), sum(t.turns for t in tallies)
    compared = max(1, shoves - sum(t.snatched for t in tallies))
    discs = max(1, sum(t.look.discs for t in tallies))
    counts = {kind: sum(t.counts.get(kind, 0) for t in tallies) for kind in (*PER_SHOVE, *PER_DISC, "unnoticed")}
    off = np.concatenate([t.look.off_y_mm for t in tallies]) if tallies else np.zeros(0)
    asked, left_open = (sum(getattr(t.look, name) for t in tallies) for name in ("asked", "left_open"))
    preset = settings.preset or ("mixed" if settings.style == "mixed" else people.STYLES[settings.style].preset)
    found: dict[str, Any] = {"shoves": shoves, "discs": discs}
    found |= {kind: counts[kind] for kind in (*PER_SHOVE, "lost", "ghosts", "misplaced")}
    found |= {
        "wrong_per_10k": round(1e4 * counts["wrong"] / discs, 3),
        "asked_rate": round(asked / discs, 5),
        "left_open_rate": round(left_open / discs, 5),
        "questions_per_turn": round(sum(t.questions for t in tallies) / max(1, turns), 4),
        "rms_y_mm": round(math.sqrt(float(np.mean(off**2))), 4) if len(off) else None,
        "style": settings.style, "preset": preset, "seed": settings.seed,
        "layout": settings.layout, "build": settings.build,
    }  # fmt: skip
    for kind in (*PER_SHOVE, *PER_DISC):
        total = compared if kind in PER_SHOVE else discs
        found[f"{kind}_95"] = round(1e4 * upper_95(min(counts[kind], total), total), 3)
    found |= {"wrong": counts["wrong"], "turns": turns, "boards": len(tallies), "unnoticed": counts["unnoticed"]}
    found |= {name: sum(getattr(t, name) for t in tallies) for name in ("nudges", "snatched", "false_starts")}
    found["faults"] = [
        {"seed": settings.seed, "turn": f.turn, "shove": first + f.shove, "kind": f.kind, "what": f.what}
        for (_, first, _), tally in zip(work, tallies, strict=True)
        for f in tally.faults
    ]
    return found


def report(found: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [
        f"{found['shoves']} shoves in {found['turns']} turns at {found['boards']} made boards, {found['discs']} discs "
        f"looked at: {found['style']}, preset {found['preset']}, {found['layout']}, {found['build']}, "
        f"seed {found['seed']}",
        "shoves " + ", ".join(f"{kind} {found[kind]}" for kind in PER_SHOVE)
        + " (95 % bounds in 10,000: " + ", ".join(f"{found[kind + '_95']:g}" for kind in PER_SHOVE) + ")",
        "discs " + ", ".join(f"{kind} {found[kind]}" for kind in PER_DISC)
        + " (95 % bounds in 10,000: " + ", ".join(f"{found[kind + '_95']:g}" for kind in PER_DISC) + ")",
        f"asked {100 * found['asked_rate']:.2f} % of discs, left open {100 * found['left_open_rate']:.2f} %, "
        f"{found['questions_per_turn']:.3f} questions a turn; y rms {found['rms_y_mm']} mm; "
        f"of {found['nudges']} touches by hand {found['unnoticed']} not noticed",
    ]  # fmt: skip
    faults = found["faults"]
    lines += [f"  shove {f['shove']} (turn {f['turn']}): {f['kind']}: {f['what']}" for f in faults[:TOLD]]
    if len(faults) > TOLD:
        lines.append(f"  and {len(faults) - TOLD} more; --json lists them all")
    return "\n".join(lines)


def plot(tallies: list[Tally], found: dict[str, Any], file: Path) -> None:
    """The board, with every disc that was not seen as it lay."""
    figure, axes = draw.board(Physics())
    places = [place for tally in tallies for place in tally.look.where]
    for kind, colour in zip(PER_DISC, ("#c62828", "#6a1b9a", "#f0a030", "#1565c0"), strict=True):
        xy = np.array([place[1:] for place in places if place[0] == kind]).reshape(-1, 2)
        axes.plot(xy[:, 0], xy[:, 1], "o", ms=3, color=colour, label=f"{kind} {len(xy)}")
    axes.legend(loc="upper right", fontsize=7)
    axes.set_title(f"{found['style']}: {found['shoves']} shoves, {found['discs']} discs looked at", fontsize=9)
    draw.save(figure, file)
