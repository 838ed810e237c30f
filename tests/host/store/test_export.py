"""Export: everything the store has, for people, spreadsheets and other programs."""

import csv
import json

import pytest
from hapenny_host.store import Store
from hapenny_host.store.export import export
from hapenny_link.errors import UserError
from host.store.stores import play


@pytest.fixture
def out(tmp_path, place):
    store = Store(place)
    play(store, turns=2)
    made = export(store, tmp_path / "out")
    store.close()
    return made


def table(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_tables_tell_matches_turns_and_shoves(out):
    """Names, beds and millimetres, not codes; a name that looks like a formula is harmless."""
    (match,) = table(out / "matches.csv")
    assert (match["rules"], match["sides"], match["turns"], match["winner"]) == ("encyclopedia", "Ann / =Bob", "2", "")
    first, second = table(out / "turns.csv")
    assert (first["side"], first["calls"], second["side"]) == ("Ann", "1, 1, 1, 1, 1", "'=Bob")
    shoves = table(out / "shoves.csv")
    assert len(shoves) == 10 and (shoves[1]["shove"], shoves[1]["call"], shoves[1]["by"]) == ("2", "1", "board")
    assert (shoves[1]["x_mm"], shoves[1]["y_mm"], shoves[1]["event"]) == ("110.0", "117.48", "3")


def test_evidence_is_in_millimetres_beside_its_event(out):
    lines = table(out / "evidence.csv")
    assert len(lines) == 13 and (lines[2]["event"], lines[2]["margin_mm"], lines[2]["error_mm"]) == ("3", "0.5", "0.08")


def test_json_has_the_same_matches(out):
    """Nested as they are: match, turns, shoves."""
    (match,) = json.loads((out / "matches.json").read_text(encoding="utf-8"))
    assert match["sides"][1]["names"] == ["=Bob"] and len(match["turns"][0]["shoves"]) == 5


def test_an_export_replaces_nothing(out, place):
    """A folder that is there is refused."""
    store = Store(place)
    with pytest.raises(UserError, match="is there already; name a new folder"):
        export(store, out)
    store.close()
