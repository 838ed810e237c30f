"""The host's store keeps every event as it was received, for ever, through power cuts."""

from hapenny_host.store.store import Store

__all__ = ["Store"]
