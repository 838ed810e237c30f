"""Board URLs: each good one opens a board, each bad one is refused in one sentence."""

import sys
from types import SimpleNamespace

import pytest
from hapenny_link import urls
from hapenny_link.errors import LinkDown, UserError
from hapenny_link.rescue import port_of
from hapenny_link.transports.serial import SerialTransport
from hapenny_link.transports.socket import SocketTransport


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nowhere:", "unix:"),
        ("", "serial:"),
        ("C", "socket:"),
        ("socket://", "socket://HOST:PORT"),
        ("socket://host", "socket://HOST:PORT"),
        ("socket://host:notaport", "socket://HOST:PORT"),
        ("socket:", "socket:PATH"),
        ("replay:/no/such/file", "No such file"),
        ("serial:a b", "serial:SERIALNUMBER"),
    ],
)
def test_a_bad_url_is_refused_with_what_to_write(url, said):
    """The sentence names the URL's fault and what would be right."""
    with pytest.raises(UserError) as refused:
        urls.open_board(url)
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_a_scheme_whose_package_is_missing_names_what_to_install(monkeypatch):
    """`unix:` without the simulator says which extra to install, not a traceback."""
    monkeypatch.setattr(urls, "schemes", lambda: {"unix": "hapenny_sim.nothing_here:open_board"})
    with pytest.raises(UserError, match=r"pip install 'hapenny\[sim\]'"):
        urls.open_board("unix:")


def test_a_new_scheme_needs_only_an_entry_point(monkeypatch):
    """Whoever registers a scheme in the group `hapenny.boards` can open it."""
    module = SimpleNamespace(open_board=lambda url: ("opened", url))
    monkeypatch.setitem(sys.modules, "a_plugin", module)
    point = SimpleNamespace(name="radio", value="a_plugin:open_board")
    monkeypatch.setattr(urls, "entry_points", lambda group: [point] if group == "hapenny.boards" else [])
    assert urls.open_board("radio:7") == ("opened", "radio:7")


def test_sockets_by_address_and_by_path():
    """Both ways of naming a socket reach the transport."""
    tcp, path = urls.open_board("socket://pi.local:7000").transport, urls.open_board("socket:/run/x").transport
    assert isinstance(tcp, SocketTransport) and tcp.address == ("pi.local", 7000)
    assert isinstance(path, SocketTransport) and path.address == "/run/x"


def port(name, serial, vid=0x2E8A, pid=0x0005):
    return SimpleNamespace(device=name, serial_number=serial, vid=vid, pid=pid)


@pytest.mark.parametrize(
    ("ports", "wanted", "found"),
    [
        ([port("/dev/ttyACM1", "AA")], "", "/dev/ttyACM1"),
        ([port("/dev/ttyACM1", "AA"), port("/dev/ttyACM0", "BB")], "BB", "/dev/ttyACM0"),
        ([port("/dev/ttyACM0", "E6AA")], "e6aa", "/dev/ttyACM0"),
        ([port("/dev/ttyACM0", "AA", vid=0x1234)], "", "no board is plugged in"),
        ([port("/dev/ttyACM0", "AA")], "CC", "no board CC is plugged in"),
        ([port("/dev/ttyACM0", "AA"), port("/dev/ttyACM1", "BB")], "", "serial:AA, serial:BB"),
    ],
)
def test_usb_boards_are_found_by_what_they_are(monkeypatch, ports, wanted, found):
    """The vendor and product ids and the serial number choose the port, its name never does."""
    monkeypatch.setattr("hapenny_link.transports.serial.list_ports.comports", lambda: ports)
    transport = SerialTransport(wanted)
    if found.startswith("/dev"):
        assert transport.find() == found
    else:
        with pytest.raises(LinkDown, match=found):
            transport.find()


def test_a_port_that_is_not_there_is_said_with_those_that_are(monkeypatch):
    """Named by its path: the ports of USB, which of them are boards, and the command that lists them."""
    ports = [port("/dev/ttyACM0", "AA"), port("/dev/ttyUSB3", "x", 0x403), port("/dev/ttyS0", None, None)]
    monkeypatch.setattr("hapenny_link.transports.serial.list_ports.comports", lambda: ports)
    with pytest.raises(LinkDown) as down:
        urls.open_board("serial:/dev/nope").transport.open()
    there = "there are /dev/ttyACM0 (serial:AA), /dev/ttyUSB3"
    assert str(down.value) == f"there is no port /dev/nope; {there}; 'hapenny boards' lists the boards"


def test_a_port_that_is_not_there_is_said_before_a_prompt_is_waited_for():
    with pytest.raises(UserError, match="there is no port /dev/nope"):
        port_of("/dev/nope")
