"""Boards behind a TCP or Unix socket: `socket://HOST:PORT` or `socket:PATH`."""

import select
import socket
from urllib.parse import urlsplit

from hapenny_link.board import Board
from hapenny_link.errors import LinkDown, UserError

CONNECT_S = 3.0


class SocketTransport:
    """A stream socket to `(host, port)`, or to the path of a Unix socket."""

    def __init__(self, address: tuple[str, int] | str) -> None:
        self.address = address
        self.socket: socket.socket | None = None

    def open(self) -> None:
        self.close()
        family = socket.AF_UNIX if isinstance(self.address, str) else socket.AF_INET
        try:
            if isinstance(self.address, str):
                self.socket = socket.socket(family)
                self.socket.settimeout(CONNECT_S)
                self.socket.connect(self.address)
            else:
                self.socket = socket.create_connection(self.address, CONNECT_S)
        except OSError as error:
            self.close()
            raise LinkDown(f"no board at {self.place()}: {error.strerror or error}") from error

    def read(self, timeout_s: float) -> bytes:
        connected = self.connected()
        try:
            if not select.select([connected], [], [], timeout_s)[0]:
                return b""
            data = connected.recv(4096)
        except OSError as error:
            raise LinkDown(f"lost the board at {self.place()}: {error.strerror or error}") from error
        if not data:
            raise LinkDown(f"the board at {self.place()} has closed the connection")
        return data

    def write(self, data: bytes) -> None:
        try:
            self.connected().sendall(data)
        except OSError as error:
            raise LinkDown(f"lost the board at {self.place()}: {error.strerror or error}") from error

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def connected(self) -> socket.socket:
        if self.socket is None:
            raise LinkDown(f"not connected to {self.place()}")
        return self.socket

    def place(self) -> str:
        return self.address if isinstance(self.address, str) else f"{self.address[0]}:{self.address[1]}"


def open_board(url: str) -> Board:
    """`socket://pi.local:7000` or `socket:/run/hapenny.sock`. UserError for anything else."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if url.startswith("socket://") and host and port:
        return Board(url, SocketTransport((host, port)))
    path = url.removeprefix("socket:")
    if path and not path.startswith("//"):
        return Board(url, SocketTransport(path))
    raise UserError(f"'{url}' names no socket: write socket://HOST:PORT or socket:PATH")
