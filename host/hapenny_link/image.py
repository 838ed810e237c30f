"""The MicroPython image (UF2) for a board: where it is, or how it comes here. None is part of this project."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from pathlib import Path

from platformdirs import user_cache_dir

from hapenny_link.errors import UserError

NAME = "RPI_PICO.uf2"
RELEASE = "https://micropython.org/resources/firmware/RPI_PICO-20260824-v1.29.0.uf2"
VARIABLE = "HAPENNY_UF2"
UF2_BLOCK = 512
UF2_MAGIC = b"UF2\n"
TIMEOUT_S = 20


def cached() -> Path:
    """Where an image is kept between runs."""
    return Path(user_cache_dir("hapenny")) / NAME


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
        raise UserError(f"{path} is no UF2 image; get one from https://micropython.org/download/RPI_PICO/")
    return path


def find(given: str | None = None) -> Path | None:
    """The image named by `--uf2`, else by $HAPENNY_UF2, else in the cache folder; None if there is none.

    UserError if one is named and is not there.
    """
    named = given or os.environ.get(VARIABLE)
    if named:
        return check(Path(named))
    return check(cached()) if cached().exists() else None


def download(url: str = RELEASE) -> Path:
    """Fetch the official release into the cache folder. UserError, with what to do, where there is no network."""
    target = cached()
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


def find_or_download(given: str | None = None) -> Path:
    """As `find`, and the official release where there is none yet."""
    return find(given) or download()
