# What our image holds beside MicroPython: our modules with their line numbers, and the main.py that starts them.
# $HAPENNY_LAYOUT names the layout, standard or lite. MicroPython's documentation calls this file a frozen manifest.
import os
import shutil
import tempfile

include("$(PORT_DIR)/boards/manifest.py")

NOT_SHIPPED = ("desktop", "__pycache__")  # folders
LAYOUTS = {"standard": "layout.py", "lite": "layout_lite.py"}

shipped = []
for folder, inner, files in sorted(os.walk("hapenny")):
    inner[:] = [name for name in inner if name not in NOT_SHIPPED]
    paths = [os.path.relpath(os.path.join(folder, name), "hapenny") for name in sorted(files)]
    shipped += [path for path in paths if path.endswith(".py") and path not in LAYOUTS.values()]
package("hapenny", files=shipped, opt=2)

renamed = tempfile.mkdtemp()
os.mkdir(os.path.join(renamed, "hapenny"))
chosen = LAYOUTS[os.environ.get("HAPENNY_LAYOUT", "standard")]
shutil.copy2(os.path.join("hapenny", chosen), os.path.join(renamed, "hapenny", "layout.py"))
package("hapenny", files=["layout.py"], base_path=renamed, opt=2)

module("main.py", base_path="frozen", opt=2)
