"""Holding what a step led to against what the file expects of it."""

from typing import Any


def differences(expect: dict[str, Any], announced: str, refused: str, got: dict[str, Any]) -> list[str]:
    """One sentence per expectation that did not hold, with expected and got; an unannounced refusal is one."""
    found = []
    if announced != refused:
        found.append(f"refused: expected {announced or 'no refusal'!r}, got {refused or 'no refusal'!r}")
    for key, wanted in expect.items():
        have = got.get(key)
        if not holds(key, wanted, have):
            found.append(f"{key}: expected {shown(wanted)}, got {shown(compared(wanted, have))}")
    return found


def holds(key: str, wanted: Any, have: Any) -> bool:
    if key == "extras":
        nothing = [0] * 9
        have = have or {}
        return all(have.get(name, nothing) == row for name, row in wanted.items()) and (bool(wanted) or not have)
    if isinstance(wanted, dict):
        return isinstance(have, dict) and all(have.get(name) == value for name, value in wanted.items())
    return have == wanted


def compared(wanted: Any, have: Any) -> Any:
    """Of a table only what is expected of it."""
    if isinstance(wanted, dict) and isinstance(have, dict) and wanted:
        return {name: have[name] for name in wanted if name in have}
    return have


def shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {shown(item)}" for key, item in value.items()) + "}"
    return "nothing" if value is None else str(value).replace("'", '"')
