"""Writes the store out for others: as JSON lines that `restore` reads, and as tables and JSON for people."""

import csv
import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from hapenny_link.errors import UserError
from sqlalchemy.exc import SQLAlchemyError

from hapenny_host.match.history import PastMatch, PastTurn, matches
from hapenny_host.store.backup import LINES, copy_lines, finish
from hapenny_host.store.database import reason
from hapenny_host.store.store import Store

Line = dict[str, Any]

MATCH = ("board", "journal", "match")
COLUMNS = {
    "matches": (*MATCH, "rules", "sides", "began", "ended", "turns", "marks", "winner"),
    "turns": (*MATCH, "turn", "kind", "side", "began", "calls", "void"),
    "shoves": (*MATCH, "turn", "shove", "side", "time", "event", "call", "called_before", "by", "x_mm", "y_mm"),
    "evidence": (*MATCH[:2], "event", "disc", "call", "x_mm", "y_mm", "margin_mm", "error_mm", "chi2", "flags"),
}


def export(store: Store, folder: Path) -> Path:
    """Write all of the store into a new folder. UserError: it is there already, or cannot be written."""
    if folder.exists():
        raise UserError(f"{folder} is there already; name a new folder")
    try:
        folder.mkdir(parents=True)
        try:
            finish(store.engine, folder, LINES, copy_lines(store.engine, folder / LINES))
            write_tables(store, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)  # half an export would pass for a whole one
            raise
    except (OSError, SQLAlchemyError) as error:
        raise UserError(f"cannot export {store.place} to {folder}: {reason(error)}") from error
    return folder


def write_tables(store: Store, folder: Path) -> None:
    """matches.json; and matches, turns, shoves and evidence as CSV."""
    past = [
        (board, log, match)
        for board, log in store.journals()
        for match in matches(store.timed_events(board, log), store.names(board, log))
    ]
    told = [{"board": board, "journal": log, **asdict(match)} for board, log, match in past]
    (folder / "matches.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    lines = {
        "matches": (match_line(*one) for one in past),
        "turns": (line for one in past for line in turn_lines(*one)),
        "shoves": (line for one in past for line in shove_lines(*one)),
        "evidence": (line for journal in store.journals() for line in evidence_lines(store, *journal)),
    }
    for name, columns in COLUMNS.items():
        write_csv(folder / f"{name}.csv", columns, lines[name])


def write_csv(path: Path, columns: tuple[str, ...], lines: Iterable[Line]) -> None:
    """A table that spreadsheets open: a line of names, then one for each."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:  # the mark tells a spreadsheet that this is UTF-8
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows({name: harmless(value) for name, value in line.items()} for line in lines)


def harmless(value: Any) -> Any:
    """A name must not become a formula when a spreadsheet opens it."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def key(board: str, log: int, match: PastMatch) -> Line:
    """By what a line of one table finds its match in another."""
    return {"board": board, "journal": log, "match": match.number}


def match_line(board: str, log: int, match: PastMatch) -> Line:
    """A match as one line; its marks are those of all beds."""
    return {
        **key(board, log, match),
        "rules": match.preset,
        "sides": " / ".join(side_of(match, side) for side in range(len(match.sides))),
        "began": when(match.began_at),
        "ended": when(match.ended_at),
        "turns": sum(turn.kind == "turn" for turn in match.turns),
        "marks": " / ".join(str(sum(side.marks)) for side in match.sides),
        "winner": side_of(match, match.winner),
    }


def turn_lines(board: str, log: int, match: PastMatch) -> Iterator[Line]:
    """A line for each turn."""
    for number, turn in enumerate(match.turns, 1):
        yield {
            **key(board, log, match),
            "turn": number,
            "kind": turn.kind,
            "side": side_of(match, turn.side),
            "began": when(turn.shoves[0].at) if turn.shoves else "",
            "calls": ", ".join(calls(turn)),
            "void": "void" if turn.void else "",
        }


def shove_lines(board: str, log: int, match: PastMatch) -> Iterator[Line]:
    """A line for each shove."""
    for number, turn in enumerate(match.turns, 1):
        for count, shove in enumerate(turn.shoves, 1):
            yield {
                **key(board, log, match),
                "turn": number,
                "shove": count,
                "side": side_of(match, turn.side),
                "time": when(shove.at),
                "event": shove.seq,
                "call": shove.calls[-1] if shove.calls else "",
                "called_before": ", ".join(shove.calls[:-1]),
                "by": "people" if shove.person else "board",
                "x_mm": shove.x_mm,
                "y_mm": shove.y_mm,
            }


def evidence_lines(store: Store, board: str, log: int) -> Iterator[Line]:
    """A line for each disc that the sensors measured after an event."""
    for m in store.evidence(board, log):
        yield {
            "board": board,
            "journal": log,
            "event": m.get("seq"),
            "disc": m.get("i"),
            "call": m.get("v"),
            **{f"{name}_mm": m[short] / 100 for name, short in MEASURED.items() if short in m},
            "chi2": m.get("chi2"),
            "flags": m.get("flags"),
        }


MEASURED = {"x": "x", "y": "y", "margin": "margin", "error": "se"}  # hundredths of a millimetre


def calls(turn: PastTurn) -> list[str]:
    """What each disc of a turn is called."""
    return [shove.calls[-1] for shove in turn.shoves if shove.calls]


def side_of(match: PastMatch, side: int) -> str:
    """A side's players, "" for none."""
    return " & ".join(match.sides[side].names) if 0 <= side < len(match.sides) else ""


def when(at: float) -> str:
    """Local time, to the second."""
    return datetime.fromtimestamp(at).astimezone().isoformat(sep=" ", timespec="seconds")
