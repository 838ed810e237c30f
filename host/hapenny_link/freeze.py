"""The modules as a board gets them, for an image that holds them: `python -m hapenny_link.freeze FOLDER [lite]`."""

import sys
from pathlib import Path

from hapenny_link.firmware_files import compile_source, sources

MANIFEST = 'include("$(PORT_DIR)/boards/manifest.py")\nfreeze_mpy("%s")\n'


def freeze(folder: Path, layout: str = "standard") -> Path:
    """Writes every .mpy and a manifest for MicroPython's build; returns the manifest."""
    for path, source in sources(layout).items():
        file = folder / f"{path}.mpy"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(compile_source(source, f"{path}.py"))  # the image finds it by this name
    manifest = folder / "manifest.py"
    manifest.write_text(MANIFEST % folder.resolve().as_posix(), encoding="utf-8")
    return manifest


if __name__ == "__main__":
    made = freeze(Path(sys.argv[1]), "".join(sys.argv[2:]) or "standard")
    print(f"make -C ports/rp2 BOARD=RPI_PICO FROZEN_MANIFEST={made.resolve()}")
