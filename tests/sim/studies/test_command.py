"""`hapenny study`: each study runs, its figures are right, and misuse is one sentence."""

import json
import time

import pytest
from hapenny_link.errors import UserError
from hapenny_sim.physics import Physics
from hapenny_sim.players import PLACED, Player
from hapenny_sim.studies import cores, match, surface
from hapenny_sim.studies.command import app
from typer.testing import CliRunner


def run(*words):
    return CliRunner().invoke(app, list(words))


def figures(*words):
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_shove(tmp_path):
    """A shove's stopping place and blows, and its plot."""
    found = figures("shove", "--speed", "1.15", "--lying", "184.15,200", "--plot", str(tmp_path / "path.png"))
    assert [e["kind"] for e in found["events"]] == ["impact", "rest", "rest"]
    assert (tmp_path / "path.png").stat().st_size > 5000
    assert figures("shove", "--seed", "3") == figures("shove", "--seed", "3")


def test_shove_many_times(tmp_path):
    """The aim is where the middle of many shoves ends; the same seed gives the same figures; a disc struck moves."""
    words = ("shove", "--times", "2000", "--speed", "1.0", "--lying", "184.15,180", "--player", "county", "--seed", "4")
    found = figures(*words, "--plot", str(tmp_path / "ends.png"))
    struck, shoved = found["discs"]
    assert found == figures(*words)
    (aim,) = figures("shove", "--speed", "1.0")["discs"]
    assert struck["mean_mm"][1] > 185 and shoved["mean_mm"][1] < 180 < aim["y_mm"]
    assert 0.99 < struck["on_board"] <= 1.0 and sum(struck["beds"].values()) < 1.0
    assert (tmp_path / "ends.png").stat().st_size > 5000


def test_spread():
    """Shares add up to all discs, and a regular places as many as that level does."""
    found = figures("spread", "--turns", "3000", "--seed", "2")
    shares = sum(found["beds"].values()) + found["no_bed"] + found["dead"] + sum(found["edges"].values())
    assert shares == pytest.approx(1.0)
    assert found["in_beds_per_turn"] == pytest.approx(PLACED["regular"], abs=0.15)


def test_match():
    """The better player wins more often; a large handicap turns that round; a piece is the same every time."""
    players, physics = (Player.level("county"), Player.level("regular")), Physics()
    games = match.piece(players, "quick", (0, 0), 10, 1, physics, False)
    assert games == match.piece(players, "quick", (0, 0), 10, 1, physics, False)
    assert sum(winner == 0 for winner, _ in games) >= 7
    assert match.interval(5, 10)["low"] < 0.5 < match.interval(5, 10)["high"]


def test_fair_handicap():
    """Equals need none; the better of two gives some, and the sentence says how many to whom."""
    words = ("match", "--preset", "quick", "--games", "40", "--fair")
    found = figures(*words, "--first", "county", "--second", "regular")
    gift = found["fair_handicap"]
    assert (gift["player"], gift["number"]) == ("regular", 2) and 2 <= gift["marks"] <= 8
    assert found["fair"] and found["tried"]["0"] > 0.7 and found["at_it"]["handicaps"] == [0, gift["marks"]]
    other = run(*words, "--first", "regular", "--second", "county").stdout
    assert other.startswith("a fair game: ") and "to regular (player 1)" in other and "even:" in other
    assert match.report_fair(found | {"fair": False}).startswith("nothing up to 12 marks is fair; nearest to it: ")


def test_surface(tmp_path):
    """Friction, grain and tilt of a made-up board come back within three standard errors and 0.05."""
    board = Physics(friction=0.22, friction_across=0.2, tilt_side_deg=0.25, tilt_far_deg=-0.15)
    found = surface.run(surface.recorded(40, 1, board), Physics())
    for name in surface.FITTED:
        assert abs(found[name]["value"] - getattr(board, name)) < 3 * found[name]["error"] + 0.01
        assert found[name]["found"]
    again = surface.run(surface.recorded(40, 1, board), Physics(), resamples=6)
    low, high = again["friction"].pop("range_95")
    assert low < again["friction"]["value"] < high and again["friction"] == found["friction"]
    file = tmp_path / "few.csv"
    file.write_text("x_mm,y_mm\n1,2\n")
    with pytest.raises(UserError, match="speed_m_s"):
        surface.read(file)


@pytest.mark.parametrize(("words", "says"), [
    (("shove", "--speed", "nan"), "speed_m_s"), (("shove", "--set", "friction=-1"), "friction"),
    (("shove", "--set", "nothing=1"), "can be set"), (("shove", "--lying", "1"), "X,Y"),
    (("spread", "--player", "nobody"), "county"), (("match", "--preset", "chess"), "encyclopedia"),
])  # fmt: skip
def test_misuse_is_one_sentence(words, says):
    """What cannot be is a UserError that says what can."""
    result = run(*words)
    assert isinstance(result.exception, UserError)
    assert says in str(result.exception)


def test_a_long_part_is_seen_to_go_on_where_there_is_no_terminal(monkeypatch, capsys):
    """A line on standard error at times, from the first part on; none once it is done."""
    monkeypatch.setattr(cores, "SAY_S", 0.05)
    assert cores.each(time.sleep, [(0.2,)], None, "judging discs") == [None]
    said = capsys.readouterr().err.splitlines()
    assert said and said[0].startswith("judging discs: 0 s, 0 of 1 parts done")
