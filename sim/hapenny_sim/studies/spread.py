"""Where a player's discs end: turns of five in practice, counted by bed and by what else became of them."""

from pathlib import Path
from typing import Any

import numpy as np

from hapenny_sim.physics import EDGES, Physics
from hapenny_sim.physics.scene import GONE
from hapenny_sim.physics.turn import DEAD
from hapenny_sim.players import Player, beds, practice
from hapenny_sim.studies.cores import chunks, each

PIECE = 20_000  # turns per job


def run(
    player: Player, turns: int, seed: int, physics: Physics, scheduler: str | None = None
) -> tuple[np.ndarray, dict]:
    """(counts of discs in 5 mm cells over the board, figures)."""
    jobs = [(player, first, count, seed, physics) for first, count in chunks(turns, PIECE)]
    parts = each(piece, jobs, scheduler, "playing turns")
    cells = np.sum([cells for cells, _ in parts], axis=0)
    tally = np.sum([tally for _, tally in parts], axis=0)
    return cells, figures(player, turns, tally)


def piece(player: Player, first: int, turns: int, seed: int, physics: Physics) -> tuple[np.ndarray, np.ndarray]:
    """One job: cells, and how many discs per bed (0 none), dead, riding, over each edge."""
    played = practice(player, turns, seed, physics, first)
    lies = played.fate == 0
    bed = np.where(lies & (played.on < 0), beds(played.x_mm, played.y_mm), 0)
    cells, _, _ = np.histogram2d(
        played.x_mm[lies],
        played.y_mm[lies],
        [np.arange(0, physics.width_mm + 5, 5), np.arange(0, physics.length_mm + 5, 5)],
    )
    edges = [np.sum(played.fate == GONE + k) for k in range(len(EDGES))]
    per_bed = np.bincount(bed[lies], minlength=10)
    return cells, np.array([*per_bed, np.sum(played.fate == DEAD), np.sum(played.on >= 0), *edges])


def figures(player: Player, turns: int, tally: np.ndarray) -> dict[str, Any]:
    """Shares of all discs shoved."""
    share = tally / (turns * 5)
    return {
        "player": player.name,
        "skill": player.skill,
        "turns": turns,
        "in_beds_per_turn": float(share[1:10].sum() * 5),
        "beds": {str(bed): float(share[bed]) for bed in range(1, 10)},
        "no_bed": float(share[0]),
        "dead": float(share[10]),
        "riding": float(share[11]),
        "edges": {edge: float(share[12 + k]) for k, edge in enumerate(EDGES)},
    }


def report(found: dict[str, Any]) -> str:
    """For people."""
    lines = [f"{found['player']} (skill {found['skill']:g}): {found['in_beds_per_turn']:.2f} of five discs in a bed"]
    lines += [f"  bed {bed}: {share:6.2%}" for bed, share in found["beds"].items()]
    lines += [
        f"  {name}: {found[key]:6.2%}"
        for name, key in (("no bed", "no_bed"), ("dead", "dead"), ("on another", "riding"))
    ]
    return "\n".join(lines + [f"  over the {edge} edge: {share:6.2%}" for edge, share in found["edges"].items()])


def plot(cells: np.ndarray, physics: Physics, file: Path) -> None:
    """How densely discs come to rest."""
    from hapenny_sim.studies.draw import board, save

    figure, axes = board(physics)
    extent = (0, cells.shape[0] * 5.0, 0, cells.shape[1] * 5.0)
    shown = np.ma.masked_equal(cells.T, 0)
    axes.imshow(shown, origin="lower", extent=extent, cmap="viridis", alpha=0.85, zorder=3)
    save(figure, file)
