"""Who may act: everybody may watch, only the machine that serves the pages may play and correct."""

from types import SimpleNamespace

import pytest
from hapenny_host.web.pages import may_act


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("192.168.1.20", False),
        ("fe80::1", False),
        ("10.0.0.7", False),
        ("pub", False),
    ],
)
def test_only_this_machine_may_act(address, allowed):
    """Loopback addresses may; the LAN, names and nobody at all may not."""
    assert may_act(SimpleNamespace(client=SimpleNamespace(host=address))) is allowed  # type: ignore[arg-type]
    assert may_act(SimpleNamespace(client=None)) is False  # type: ignore[arg-type]
