"""Every plain kernel by its name, as `kernels.viper` has them for a board."""

from hapenny.desktop.kernels.disc import *  # noqa: F403
from hapenny.desktop.kernels.frame import *  # noqa: F403
from hapenny.desktop.kernels.light import *  # noqa: F403
from hapenny.desktop.kernels.pair import *  # noqa: F403
from hapenny.kernels.words import *  # noqa: F403
