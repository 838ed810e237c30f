"""The host's store: every event as it was received, for ever."""

from hapenny_host.store.store import Store

__all__ = ["Store"]
