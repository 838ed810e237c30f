"""The board as matplotlib draws it, for the plots of the studies."""

from pathlib import Path
from typing import Any

from hapenny_link.errors import UserError

from hapenny_sim.physics import Physics
from hapenny_sim.physics.model import BED_MM, FIRST_LINE_MM, LINES, SIDE_LINE_MM


def board(physics: Physics) -> tuple[Any, Any]:
    """A figure with the board's edges and lines, in millimetres, the shover below."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    figure = Figure(figsize=(4.2, 6.6), layout="constrained")
    axes = figure.add_subplot()
    axes.add_patch(Rectangle((0, 0), physics.width_mm, physics.length_mm, fc="#f3ead8", ec="#5b4636"))
    for line in range(LINES):
        y = FIRST_LINE_MM + BED_MM * line
        axes.plot([0, physics.width_mm], [y, y], color="#5b4636", lw=0.7)
    for x in (SIDE_LINE_MM, physics.width_mm - SIDE_LINE_MM):
        axes.plot([x, x], [FIRST_LINE_MM, FIRST_LINE_MM + BED_MM * (LINES - 1)], color="#5b4636", lw=0.7)
    axes.set(xlim=(-25, physics.width_mm + 25), ylim=(-25, physics.length_mm + 15), xlabel="x, mm", ylabel="y, mm")
    axes.set_aspect("equal")
    return figure, axes


def chart(title: str, x_label: str, y_label: str) -> tuple[Any, Any]:
    """An empty chart."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    axes.set(title=title, xlabel=x_label, ylabel=y_label)
    axes.grid(alpha=0.3)
    return figure, axes


def save(figure: Any, file: Path) -> None:
    """Write a figure; the name's end chooses the format."""
    try:
        figure.savefig(file, dpi=130)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot write the plot {file}: {error}") from error
