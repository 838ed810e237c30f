"""Scenario files are checked to the last key before anything runs."""

import pytest
from hapenny_link.errors import UserError
from hapenny_sim.scenario.file import load

GOOD = """
schema = 1
title = "One disc"
points = ["5"]
[match]
preset = "encyclopedia"
sides = [["Ann", "Cat"], ["Bob"]]
options = { excess = "opponent", beds = "1..9" }
start = { Ann = [3,0,0,0,0,0,0,0,0] }
handicap = { Bob = "handicap 7" }
record = "auto"
[[step]]
do = "shove"
discs = [[184.15, 117.48]]
expect = { turn = "Ann", verdicts = [1] }
[[step]]
do = "shove"
discs = [[184.15, 117.48], { x = 100.0, y = 410 }]
expect = { last = { disc = 2, verdict = "over" } }
"""


def written(tmp_path, text):
    path = tmp_path / "case.toml"
    path.write_text(text)
    return path


def test_a_good_file_is_read(tmp_path):
    found = load(written(tmp_path, GOOD))
    assert found.title == "One disc" and found.points == ("5",)
    assert found.match.handicaps == (0, 7) and found.match.marks == {0: [3, 0, 0, 0, 0, 0, 0, 0, 0]}
    assert found.steps[1].keys["discs"][1] == {"x": 10000, "y": 41000, "on": [], "lift": False, "doubt": False}


STEP = 'do = "shove"\ndiscs = [[184.15, 117.48]]'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("schema = 1", "schema = 2", "schema"),
        ("schema = 1", "", "schema"),
        ("schema = 1", "schema = true", "schema"),
        ('title = "One disc"', "title = 7", "title"),
        ('points = ["5"]', 'points = ["33"]', "points.1"),
        ('points = ["5"]', "points = [5]", "points.1"),
        ('points = ["5"]', 'author = "me"', "unknown key 'author'"),
        ("[match]", "[match", "line"),
        ('preset = "encyclopedia"', 'preset = "billiards"', "preset"),
        ('preset = "encyclopedia"', "", "preset"),
        ('["Bob"]]', '["Bob"], ["Dan"]]', "exactly two sides"),
        ('["Bob"]]', '["Ann"]]', "name of their own"),
        ('["Bob"]]', '["Bob", "Dan", "Eve"]]', "sides"),
        ('["Bob"]]', "]", "sides"),
        ('excess = "opponent"', 'excess = "nobody"', "excess"),
        ('excess = "opponent"', 'excess = "next", claim = "claim"', "claim"),
        ('excess = "opponent"', "turns = 100", "turns"),
        ('excess = "opponent"', 'order = "bull"', "bull"),
        ('excess = "opponent"', "wood = 3", "wood"),
        ('beds = "1..9"', "beds = [0]", "beds.1"),
        ('beds = "1..9"', "beds = [2, 2]", "beds"),
        ('beds = "1..9"', "beds = 0", "beds"),
        ('beds = "1..9"', "beds = true", "beds"),
        ('beds = "1..9"', 'beds = "3..1"', "beds"),
        ("start = { Ann = [3,", "start = { Ann = [4,", "more than the target"),
        ("start = { Ann = [3,0,", "start = { Ann = [3,", "must have 9 items"),
        ("start = { Ann", "start = { Cat", "unknown key 'Cat'"),
        ('"handicap 7"', '"handicap 13"', "handicap.Bob"),
        ('"handicap 7"', '"plus 0"', "handicap.Bob"),
        ('"handicap 7"', "7", "handicap.Bob"),
        ('record = "auto"', 'record = "later"', "record"),
        ('record = "auto"', 'umpire = "Dan"', "umpire"),
        (STEP, 'do = "kick"', "step 1"),
        (STEP, "discs = []", "step 1"),
        (STEP, 'do = "shove"', "needs the key 'discs'"),
        ("discs = [[184.15, 117.48]]", "discs = []", "discs is empty"),
        ("discs = [[184.15, 117.48]]", "discs = [[184.15]]", "step 1.discs.1"),
        ("discs = [[184.15, 117.48]]", 'discs = [["a", 117.48]]', "step 1.discs.1.1"),
        ("discs = [[184.15, 117.48]]", "discs = [[nan, 117.48]]", "step 1.discs.1.1"),
        ("discs = [[184.15, 117.48]]", "discs = [[true, 117.48]]", "step 1.discs.1.1"),
        ("{ x = 100.0, y = 410 }", "{ x = 100.0 }", "needs the key 'y'"),
        ("{ x = 100.0, y = 410 }", "{ x = 100.0, y = 410, z = 1 }", "unknown key 'z'"),
        ("{ x = 100.0, y = 410 }", "{ x = 100.0, y = 410, on = 2 }", "on must name another disc"),
        ("{ x = 100.0, y = 410 }", "{ x = 100.0, y = 410, on = 3 }", "on must name another disc"),
        ("{ x = 100.0, y = 410 }", "{ x = 100.0, y = 410, lift = 1 }", "lift"),
        ('turn = "Ann"', 'turn = "Zed"', "step 1.expect.turn"),
        ('turn = "Ann"', 'shoves = 4', "unknown key 'shoves'"),
        ('turn = "Ann"', 'winner = "Cat"', "winner"),
        ('turn = "Ann"', "marks = { Zed = [0,0,0,0,0,0,0,0,0] }", "unknown key 'Zed'"),
        ('turn = "Ann"', "void = 1", "void"),
        ("verdicts = [1]", 'verdicts = ["good"]', "verdicts.1"),
        ("verdicts = [1]", "verdicts = [true]", "verdicts.1"),
        (STEP, 'do = "clear"\nrefused = "because"', "refused"),
        (STEP, 'do = "clear"\nby = "Ann"', "unknown key 'by'"),
        (STEP, 'do = "dart"\nhit = "D21"', "hit"),
        (STEP, 'do = "overrule"', "overrule needs one of"),
        (STEP, 'do = "choose"\nchoice = "place"', "place"),
        (STEP, 'do = "options"\nset = { excess = "next", claim = "claim" }', "claim"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_file_and_place(tmp_path, old, new, said):
    assert old in GOOD
    with pytest.raises(UserError) as error:
        load(written(tmp_path, GOOD.replace(old, new, 1)))
    text = str(error.value)
    assert text.startswith(str(tmp_path / "case.toml")) and said in text and "\n" not in text


def test_the_line_of_the_step_is_told(tmp_path):
    with pytest.raises(UserError, match=r"case\.toml:16: step 2"):
        load(written(tmp_path, GOOD.replace("y = 410", 'y = "far"')))


def test_a_missing_file_and_one_that_is_no_text_are_told(tmp_path):
    with pytest.raises(UserError, match=r"nowhere\.toml: cannot be read"):
        load(tmp_path / "nowhere.toml")
    (tmp_path / "noise.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match=r"noise\.toml: is not UTF-8"):
        load(tmp_path / "noise.toml")


@pytest.mark.parametrize("beds", ["[1, 2, 3]", '"1..3"', "3"])
def test_beds_in_play_are_a_list_a_range_or_the_first_few(tmp_path, beds):
    found = load(written(tmp_path, GOOD.replace('"1..9"', beds)))
    assert found.match.options["beds"] == [1, 2, 3]


@pytest.mark.parametrize(
    ("mm", "hmm"), [("1.005", 101), ("1.004999", 100), ("-0.005", 0), ("-0.0051", -1), ("114.695", 11470), ("7", 700)]
)
def test_millimetres_are_rounded_to_the_nearest_hundredth_halves_up(tmp_path, mm, hmm):
    found = load(written(tmp_path, GOOD.replace("[[184.15, 117.48]]", f"[[{mm}, 117.48]]")))
    assert found.steps[0].keys["discs"][0]["x"] == hmm
