"""One shove: its path, its blows, and where every disc stops."""

from pathlib import Path
from typing import Any

import numpy as np

from hapenny_sim.physics import Physics, Rest, Shove, Trajectory, simulate


def run(lying: list[Rest], shove: Shove, physics: Physics) -> tuple[Trajectory, dict[str, Any]]:
    """The trajectory and its figures."""
    path = simulate(lying, shove, physics)
    discs = [{"x_mm": round(f.x_mm, 4), "y_mm": round(f.y_mm, 4), "edge": f.edge, "on": f.on} for f in path.final]
    events = [
        {"t_s": round(e.t_s, 6), "kind": e.kind, "disc": e.disc, "other": e.other, "speed_mm_s": round(e.speed_mm_s, 3)}
        for e in path.events
    ]
    return path, {"duration_s": round(path.duration_s, 6), "discs": discs, "events": events}


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
