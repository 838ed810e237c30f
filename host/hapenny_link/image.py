"""The image (UF2) for a board: where one is, and what it holds. No image is part of this project."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from pathlib import Path

from platformdirs import user_cache_dir

from hapenny_link.errors import UserError

NAME = "hapenny-RP2040.uf2"  # MicroPython with our modules in it
STOCK = "RPI_PICO.uf2"  # MicroPython alone
RELEASE = "https://micropython.org/resources/firmware/RPI_PICO-20260824-v1.29.0.uf2"
VARIABLE = "HAPENNY_UF2"
UF2_BLOCK = 512
UF2_DATA = slice(32, 288)  # of each block
UF2_MAGIC = b"UF2\n"
OURS = b"hapenny/rp2040/start"  # a name that only an image with our modules holds
TIMEOUT_S = 20


def cached(name: str = NAME) -> Path:
    """Where an image of that name is kept between runs."""
    return Path(user_cache_dir("hapenny")) / name


def check(path: Path) -> Path:
    """The path, if a UF2 lies there. UserError otherwise."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        raise UserError(
            f"cannot read the image {path}: {error.strerror}; name one with --uf2 or ${VARIABLE}"
        ) from error
    if start != UF2_MAGIC or size % UF2_BLOCK:
        raise UserError(f"{path} is no UF2 image; docs/build.md says which one a board takes")
    return path


def find(given: str | None = None) -> Path | None:
    """The image named by `--uf2`, else by $HAPENNY_UF2, else ours in the cache folder; None if there is none.

    UserError if one is named and is not there.
    """
    named = given or os.environ.get(VARIABLE)
    if named:
        return check(Path(named))
    return check(cached()) if cached().exists() else None


def missing() -> str:
    """What to tell a person who has no image."""
    return (
        f"there is no image of the board's firmware: put {NAME} at {cached()}, or name it with --uf2 or ${VARIABLE}; "
        "docs/build.md says what it is made of"
    )


def needed(given: str | None = None) -> Path:
    """As `find`; UserError, with what to do, if there is none."""
    found = find(given)
    if found is None:
        raise UserError(missing())
    return found


def holds_firmware(path: Path) -> bool:
    """True if the image has our modules in it, False if it is MicroPython alone."""
    content = path.read_bytes()
    blocks = range(0, len(content), UF2_BLOCK)
    return OURS in b"".join(content[at : at + UF2_BLOCK][UF2_DATA] for at in blocks)


def stock(given: str | None = None) -> Path:
    """MicroPython alone: the image named, else the official release, fetched once into the cache folder."""
    if given:
        return check(Path(given))
    return check(cached(STOCK)) if cached(STOCK).exists() else download()


def download(url: str = RELEASE) -> Path:
    """Fetch the official release into the cache folder. UserError, with what to do, where there is no network."""
    target = cached(STOCK)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(".part")
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
            fresh.write_bytes(answer.read())
    except (OSError, urllib.error.URLError) as error:
        raise UserError(
            f"cannot fetch {url} ({error}): put MicroPython's image for the Pico at {target}, or name one with --uf2"
        ) from error
    check(fresh).replace(target)
    return target
