# Freezes the firmware into a MicroPython image: `make -C ports/rp2 FROZEN_MANIFEST=.../firmware/manifest.py`.
include("$(PORT_DIR)/boards/manifest.py")
package("hapenny", base_path=".", opt=3)
module("main.py", base_path=".", opt=3)
