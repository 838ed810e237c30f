"""One shove: its path, its blows, and where every disc stops; or where it ends when somebody shoves it many times."""

from pathlib import Path
from typing import Any

import numpy as np

from hapenny_sim.physics import EDGES, Physics, Rest, Shove, Trajectory, simulate
from hapenny_sim.physics.batch import ON_BOARD, play
from hapenny_sim.physics.chance import normals
from hapenny_sim.physics.scene import GONE
from hapenny_sim.players import Player, as_row, beds
from hapenny_sim.studies.cores import chunks, each

PIECE = 20_000  # shoves per job


def run(
    lying: list[Rest], shove: Shove, physics: Physics, scheduler: str | None = None
) -> tuple[Trajectory, dict[str, Any]]:
    """The trajectory and its figures."""
    (path,) = each(simulate, [(lying, shove, physics)], scheduler, "shoving")
    discs = [{"x_mm": round(f.x_mm, 4), "y_mm": round(f.y_mm, 4), "edge": f.edge, "on": f.on} for f in path.final]
    events = [
        {"t_s": round(e.t_s, 6), "kind": e.kind, "disc": e.disc, "other": e.other, "speed_mm_s": round(e.speed_mm_s, 3)}
        for e in path.events
    ]
    return path, {"duration_s": round(path.duration_s, 6), "discs": discs, "events": events}


def many(lying: list[Rest], aim: Shove, player: Player, times: int, seed: int, physics: Physics,
         scheduler: str | None = None) -> tuple[np.ndarray, dict[str, Any]]:  # fmt: skip
    """(rows of x_mm, y_mm, fate of every disc of every shove, figures), each as the player makes it of the aim."""
    jobs = [(lying, aim, player, first, count, seed, physics) for first, count in chunks(times, PIECE)]
    ends = np.concatenate(each(piece, jobs, scheduler, "shoving"))
    return ends, {"player": player.name, "skill": player.skill, "times": times, "seed": seed,
                  "discs": [where(ends[:, k]) for k in range(ends.shape[1])]}  # fmt: skip


def piece(
    lying: list[Rest], aim: Shove, player: Player, first: int, count: int, seed: int, physics: Physics
) -> np.ndarray:
    """One job: shoves `first` and on, each with a random stream of its own."""
    noise = normals(seed, np.arange(first, first + count), 4)
    shoves = player.spread_each(np.tile(as_row(aim), (count, 1)), noise, physics)
    played = play(shoves[:, None], physics, np.array([[d.x_mm, d.y_mm] for d in lying]).reshape(-1, 2))
    return np.stack([played.x_mm, played.y_mm, played.fate], axis=-1)


def where(ends: np.ndarray) -> dict[str, Any]:
    """What became of one disc: shares of all shoves; mean place and standard deviations of those on the board."""
    lies = ends[:, 2] == ON_BOARD
    bed = np.bincount(beds(ends[lies, 0], ends[lies, 1]), minlength=10) / len(ends)
    mean, spread = (ends[lies, :2].mean(axis=0), ends[lies, :2].std(axis=0)) if lies.any() else ([None] * 2, [None] * 2)
    return {
        "on_board": float(lies.mean()),
        "beds": {str(number): float(bed[number]) for number in range(1, 10)},
        "edges": {edge: float((ends[:, 2] == GONE + k).mean()) for k, edge in enumerate(EDGES)},
        "mean_mm": [None if value is None else round(float(value), 3) for value in mean],
        "deviation_mm": [None if value is None else round(float(value), 3) for value in spread],
    }


def report_many(figures: dict[str, Any]) -> str:
    """For people."""
    lines = [f"{figures['times']:,} shoves by {figures['player']} (skill {figures['skill']:g})"]
    for number, disc in enumerate(figures["discs"]):
        name = "shoved" if number == len(figures["discs"]) - 1 else f"disc {number}"
        (x, y), (dx, dy) = disc["mean_mm"], disc["deviation_mm"]
        there = "never on the board" if x is None else f"x {x:.1f} +- {dx:.1f}, y {y:.1f} +- {dy:.1f} mm"
        best = max(disc["beds"], key=lambda bed: disc["beds"][bed])
        lines.append(f"{name:>8}: {there}; on the board {disc['on_board']:.1%}, bed {best} {disc['beds'][best]:.1%}")
    return "\n".join(lines)


def plot_many(ends: np.ndarray, physics: Physics, file: Path) -> None:
    """Where the discs ended."""
    from hapenny_sim.studies.draw import board, save

    figure, axes = board(physics)
    for disc in range(ends.shape[1]):
        shown = ends[:4000, disc][ends[:4000, disc, 2] == ON_BOARD]
        axes.plot(shown[:, 0], shown[:, 1], ".", ms=1.5, color=f"C{disc}")
    save(figure, file)


def report(figures: dict[str, Any]) -> str:
    """For people."""
    lines = [f"at rest after {figures['duration_s']:.3f} s"]
    for number, disc in enumerate(figures["discs"]):
        where = (
            f"over the {disc['edge']} edge"
            if disc["edge"]
            else f"on disc {disc['on']}"
            if disc["on"] >= 0
            else "on the board"
        )
        name = "shoved" if number == len(figures["discs"]) - 1 else f"disc {number}"
        lines.append(f"{name:>8}: x {disc['x_mm']:8.2f}  y {disc['y_mm']:8.2f} mm, {where}")
    lines += [f"{e['t_s']:8.4f} s  {e['kind']} {e['disc']}" + (f" and {e['other']} at {e['speed_mm_s']:.0f} mm/s"
              if e["kind"] in ("impact", "ride") else "") for e in figures["events"]]  # fmt: skip
    return "\n".join(lines)


def plot(path: Trajectory, physics: Physics, file: Path) -> None:
    """The paths over the board."""
    from hapenny_sim.studies.draw import board, save

    figure, axes = board(physics)
    places = path.sample(np.linspace(0.0, path.duration_s, 400))
    for disc in range(path.n):
        axes.plot(places[:, disc, 0], places[:, disc, 1], lw=1.2, color=f"C{disc}")
        for at in (0, -1):
            if np.isfinite(places[at, disc, 0]):
                circle(axes, places[at, disc], physics.radius_mm, f"C{disc}", dashed=at == 0)
    save(figure, file)


def circle(axes: Any, place: np.ndarray, radius_mm: float, color: str, dashed: bool = False) -> None:
    """A disc's rim and, for one at rest, the mark that shows how it turned."""
    from matplotlib.patches import Circle

    axes.add_patch(Circle((place[0], place[1]), radius_mm, fill=False, ec=color, ls=":" if dashed else "-"))
    if not dashed:
        tip = place[:2] + radius_mm * np.array([np.cos(place[2]), np.sin(place[2])])
        axes.plot([place[0], tip[0]], [place[1], tip[1]], color=color, lw=1)
