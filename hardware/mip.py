"""Writes package.json, which lists the firmware's modules for `mpremote mip install`."""

from pathlib import Path

from hapenny_link.firmware_files import mip_package

if __name__ == "__main__":
    (Path(__file__).parents[1] / "package.json").write_text(mip_package(), encoding="utf-8")
