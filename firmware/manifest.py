# Freezes the modules into a MicroPython image (main.py stays a file): `make -C ports/rp2 FROZEN_MANIFEST=THIS`.
include("$(PORT_DIR)/boards/manifest.py")
package("hapenny", base_path=".", opt=3)
