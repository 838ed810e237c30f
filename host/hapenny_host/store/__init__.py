"""The host's store: every event as it was received, for ever."""

from hapenny_host.store.store import Store, default_path

__all__ = ["Store", "default_path"]
