"""`hapenny scenario run` as a person runs it: what it prints and its exit codes."""

import json
import subprocess
import sys
from xml.etree import ElementTree

import pytest

GOOD = """
schema = 1
title = "One disc"
[match]
preset = "encyclopedia"
sides = [["Ann"], ["Bob"]]
[[step]]
do = "shove"
discs = [[184.15, 117.48]]
expect = { shoves_left = 4 }
[[step]]
do = "touch"
by = "Zed"
refused = "unknown_side"
"""


def hapenny(*arguments, cwd):
    code = "from hapenny_host.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "scenario", "run", *map(str, arguments)],
        capture_output=True, text=True, timeout=60, cwd=cwd, check=False,
    )  # fmt: skip


@pytest.fixture
def files(tmp_path):
    (tmp_path / "good.toml").write_text(GOOD)
    (tmp_path / "false.toml").write_text(GOOD.replace("shoves_left = 4", "shoves_left = 3"))
    (tmp_path / "bad.toml").write_text(GOOD.replace("do =", "does =", 1))
    (tmp_path / "surprise.toml").write_text(GOOD.replace('refused = "unknown_side"', ""))
    return tmp_path


def test_exit_0_if_all_held(files):
    done = hapenny("good.toml", cwd=files)
    assert (done.returncode, done.stderr) == (0, "") and "One disc" in done.stdout


def test_exit_1_names_step_expected_and_got(files):
    done = hapenny("good.toml", "false.toml", cwd=files)
    assert done.returncode == 1
    assert done.stderr == "false.toml: step 1 (shove): shoves_left: expected 3, got 4\n"


def test_an_unannounced_refusal_fails_the_file(files):
    done = hapenny("surprise.toml", cwd=files)
    assert done.returncode == 1
    assert 'step 2 (touch): refused: expected "no refusal", got "unknown_side"' in done.stderr.replace("'", '"')


def test_exit_2_and_nothing_run_if_one_file_is_not_a_scenario(files):
    done = hapenny("good.toml", "bad.toml", cwd=files)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("hapenny: bad.toml:7: step 1") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [(), ("nowhere.toml",), ("good.toml", "--target", "moon"), ("good.toml", "--target", "serial")]
)
def test_misuse_is_exit_2_in_one_line(files, arguments):
    done = hapenny(*arguments, cwd=files)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("hapenny: ") and done.stderr.count("\n") == 1


def test_json_is_one_object_per_file_with_the_documented_keys(files):
    done = hapenny("good.toml", "false.toml", "--json", cwd=files)
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 1
    assert set(first) == {"file", "title", "target", "ok", "steps"}
    assert (first["file"], first["title"], first["target"]) == ("good.toml", "One disc", "engine")
    assert (first["ok"], second["ok"]) == (True, False)
    assert [set(step) for step in first["steps"]] == [{"n", "do", "ok", "got"}] * 2
    assert [(step["n"], step["do"], step["ok"]) for step in second["steps"]] == [
        (1, "shove", False),
        (2, "touch", True),
    ]
    assert first["steps"][0]["got"]["last"] == {"disc": 1, "verdict": 1}
    assert first["steps"][1]["got"]["refused"] == "unknown_side"


def test_junit_has_a_case_per_file(files):
    hapenny("good.toml", "false.toml", "--junit", "report.xml", cwd=files)
    suite = ElementTree.parse(files / "report.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.find("failure") is not None for case in suite] == [False, True]
