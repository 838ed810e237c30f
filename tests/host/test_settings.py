"""The configuration file: none is needed, comments stay, and what is wrong in it is said in one line."""

import pytest
from hapenny_host import settings
from hapenny_link.errors import UserError


def test_without_a_file_all_is_as_it_always_was(monkeypatch, tmp_path):
    monkeypatch.setattr(settings, "default_path", lambda: tmp_path / "none.toml")
    said = settings.load()
    assert (said.run.boards, said.run.port, said.run.address) == (["unix:"], 8080, "127.0.0.1")
    assert said.store.evidence_days == 365 and said.store.place().name == "hapenny.sqlite"


def test_the_template_says_nothing_else(tmp_path):
    """Every setting stands in it as it is without it."""
    path = tmp_path / "hapenny.toml"
    path.write_text(settings.TEMPLATE, encoding="utf-8")
    assert settings.load(path) == settings.Settings()
    told = "\n".join(line.removeprefix("# ") if "=" in line else line for line in settings.TEMPLATE.splitlines()[3:])
    path.write_text(told, encoding="utf-8")
    assert settings.load(path) == settings.Settings()
    assert all(name.partition(".")[2] in told for name, _ in settings.all_of(settings.Settings()))


def test_a_change_keeps_comments(tmp_path):
    """Every line that was there is still there; what was said is replaced."""
    path = tmp_path / "deep" / "hapenny.toml"
    settings.change(path, "store.evidence_days", "30")
    settings.change(path, "run.boards", "serial:E66, socket://10.0.0.7:4000")
    path.write_text(path.read_text() + "# the cellar's\n")
    settings.change(path, "store.evidence_days", "0")
    text = path.read_text()
    assert set(settings.TEMPLATE.splitlines()) <= set(text.splitlines()) and "# the cellar's" in text
    said = settings.load(path)
    assert said.store.evidence_days == 0 and said.run.boards == ["serial:E66", "socket://10.0.0.7:4000"]
    assert path.stat().st_mode & 0o077 == 0, "a URL may hold a password"


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("[run]\nport = \n", "line 2"),
        ("[run]\nport = 'x'", "run.port is a whole number, not 'x'"),
        ("[run]\nport = 0", "run.port is from 1 to 65535, not 0"),
        ("[run]\nport = true", "run.port is a whole number, not True"),
        ("[run]\nprot = 1", "did you mean 'run.port'?"),
        ("[sotre]\nat = ''", "did you mean 'store'?"),
        ("run = 7", "there is no setting 'run'"),
        ("[run]\nboards = 'unix:'", "run.boards is a list of texts"),
        ("[run]\nboards = []", "run.boards is a list of texts"),
        ("[run]\nboards = [1]", "run.boards is a list of texts"),
        ("[store]\nevidence_days = -1", "from 0 to 36500"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path, text, clue):
    """With the file's name; and nothing is changed in such a file."""
    path = tmp_path / "hapenny.toml"
    path.write_text(text)
    for call in (lambda: settings.load(path), lambda: settings.change(path, "run.port", "9")):
        with pytest.raises(UserError) as refused:
            call()
        assert clue in str(refused.value) and str(path) in str(refused.value) and "\n" not in str(refused.value)
    assert path.read_text() == text


def test_a_change_that_cannot_be_changes_nothing(tmp_path):
    """An unknown key, a value of another kind."""
    path = tmp_path / "hapenny.toml"
    for key, value in (("store.evidence", "3"), ("run.port", "many"), ("run.port", "99999")):
        with pytest.raises(UserError):
            settings.change(path, key, value)
    assert not path.exists()


def test_a_file_that_was_named_must_be_there(tmp_path):
    with pytest.raises(UserError, match="there is no configuration file"):
        settings.load(tmp_path / "none.toml")
