"""Calibrates a simulated board before it is used, as its maker would: tare and sweeps, by the device's own code."""

import hashlib
import tempfile
from pathlib import Path
from types import ModuleType

import platformdirs
from hapenny import layout as standard
from hapenny.keeping.slots import Store
from hapenny.sensing import calibration as device
from hapenny_link.calibration import hall_fit, measurements, segment_fit, sweeps
from hapenny_link.firmware_files import BoardFile

from hapenny_sim.sensors import taught
from hapenny_sim.sensors.build import BUILDS, Board


def calibration(layout: ModuleType, build: str, seed: int) -> bytes:
    """The swept calibration of that made board, as its flash would keep it. Takes seconds once, then it is cached."""
    path = Path(platformdirs.user_cache_dir("hapenny")) / "boards" / f"{layout.NAME}-{build}-{seed}-{fingerprint()}.bin"
    if path.is_file():
        return path.read_bytes()
    made = Board(layout, BUILDS[build], seed=seed)
    data = taught.teach(made, layout, "swept", seed).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(data)
    fresh.replace(path)
    return data


def fingerprint() -> str:
    """Changes whenever what makes or teaches a board changes, so that no stale calibration is used."""
    sensors = Path(taught.__file__).parent
    modules = (standard, device, hall_fit, measurements, segment_fit, sweeps)
    taught_by = [Path(module.__file__ or "") for module in modules]
    digest = hashlib.sha256()
    for path in sorted([*sensors.glob("*.py"), *taught_by]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def slot(layout: ModuleType, build: str, seed: int) -> BoardFile:
    """The calibration as a file of a board's flash."""
    with tempfile.TemporaryDirectory() as folder:
        calibrate(Path(folder), layout, build, seed)
        (path,) = Path(folder).iterdir()
        return BoardFile(path.name, path.read_bytes())


def calibrate(folder: Path, layout: ModuleType, build: str, seed: int) -> None:
    """Puts the calibration into a board's flash if it holds none."""
    store = Store(str(folder / "calibration"))
    if store.load() is None:
        store.save(calibration(layout, build, seed))
