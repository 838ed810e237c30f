"""For tests that look at the pages with Debian's chromium; modules that import it are skipped where it is missing."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
import urllib.request

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no chromium here: apt-get install chromium", allow_module_level=True)

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
BED_2 = ["ArrowUp"] * 21 + ["Shift+ArrowUp"] * 9 + [" "]  # slides 143 mm, on the fake table and on the simulated one
NEAR_BED_2 = ["ArrowUp"] * 21 + ["Shift+ArrowUp"] * 5 + [" "]  # 140.3 mm: on the fake table too near the line to tell
AGAIN = ["ArrowUp", " "]  # with the same power


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def begun(command, output):
    """The process of a command, as from a terminal: it leads a group, which Ctrl-C reaches as a whole."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "NICEGUI"))}
    return subprocess.Popen([*command], env=environment, stdout=output, start_new_session=True, text=True)


@contextlib.contextmanager
def served(command, port):
    """Runs a command that serves the pages at the port; gives (address, process) once they are there."""
    process = begun(command, subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/play", timeout=5).close()
            break
        time.sleep(0.1)
    try:
        yield address, process
    finally:
        process.terminate()
        process.wait(timeout=20)


@contextlib.contextmanager
def chromium():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextlib.contextmanager
def visiting(browser, address):
    """Gives a function that opens a path; fails if a page meets an error, or asks anybody but our host for anything."""
    pages, wrong = [], []

    def outside(url):
        return not url.startswith((address, address.replace("http", "ws"), "data:", "blob:"))

    def open_page(path, **options):
        page = browser.new_page(**options)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: outside(request.url) and wrong.append(request.url))
        pages.append(page)
        page.goto(address + path)
        page.wait_for_selector(".slate-chalk")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert not wrong


def wait_for_score(page, pattern, seconds=20):
    """Wait until the slate, as it is read to those who cannot see it, matches."""
    page.wait_for_function(
        "p => new RegExp(p).test(document.querySelector('.slate-chalk').getAttribute('aria-label'))",
        arg=pattern,
        timeout=seconds * 1000,
    )


def wait_for_words(page, words):
    """Wait until the sentence above the actions holds the words; what the page says instead is in the failure."""
    try:
        page.wait_for_function("words => document.querySelector('.said').innerText.includes(words)", arg=words)
    except playwright.TimeoutError:
        raise AssertionError(f"the page never says {words!r}; it says {all_said(page)}") from None


def begin_match(page, first="Ann", second="Bob"):
    before = page.locator(".slate-chalk").get_attribute("data-match")
    page.get_by_role("button", name="New match").first.click()
    page.get_by_label("First", exact=True).fill(first)
    page.get_by_label("Second", exact=True).fill(second)
    start_new(page)
    page.wait_for_function("m => document.querySelector('.slate-chalk').dataset.match !== m", arg=before)
    wait_for_score(page, f"{first} to shove")  # the match before may have been at just that, too


def start_new(page):
    """Press Start; a match that is being played is ended."""
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_function("document.querySelectorAll('.newmatch').length !== 1")
    if page.locator(".ending").count():
        page.get_by_role("button", name="End it and start").click()
    page.wait_for_function("!document.querySelector('.newmatch')")


class Keys:
    """The keys that flick a disc from a place into a bed; knows where the keys of before have left the hand."""

    def __init__(self):
        self.x_mm, self.thousandths = 184.15, 0

    def into(self, bed, x_mm):
        """Both tables carry a disc 652.5 mm at full power, evenly with power, from y = 6 mm."""
        steps = round((x_mm - self.x_mm) / 2)
        wanted = round(1000 * (101.6 + 31.75 * (bed - 0.5) - 6) / 652.5)
        more = wanted - self.thousandths
        keys = ["ArrowRight" if steps > 0 else "ArrowLeft"] * abs(steps)
        keys += ["ArrowUp"] * bool(self.thousandths)  # takes up the power of the last shove
        way = "Up" if more > 0 else "Down"
        keys += [f"Arrow{way}"] * (abs(more) // 10) + [f"Shift+Arrow{way}"] * (abs(more) % 10) + [" "]
        self.x_mm, self.thousandths = self.x_mm + 2 * steps, wanted
        return keys


def wait_for_hand(page, seconds=90):
    """Wait until a disc may be shoved; what the page says instead is in the failure."""
    try:
        page.wait_for_selector(".hand .ready", timeout=seconds * 1000)
    except playwright.TimeoutError:
        raise AssertionError(f"no disc may be shoved for {seconds} s; the page says {all_said(page)}") from None


def all_said(page):
    """What stands on /play, part by part."""
    parts = (".hand text", ".said", ".log li", ".actions", ".tag text")
    return {part: page.locator(part).all_text_contents() for part in parts}


def shove(page, keys):
    """Press keys once a disc may be shoved."""
    wait_for_hand(page)
    for key in keys:
        page.keyboard.press(key)
