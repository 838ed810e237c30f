"""Stores for tests: a file, and a database of a real PostgreSQL server."""

import os

import pytest
from host.store.server import Server, programs

ON_SERVER = pytest.mark.xdist_group("postgres")  # one server for all


@pytest.fixture(scope="session")
def server():
    """A running PostgreSQL server."""
    if not programs():
        missing = "PostgreSQL is not installed: apt install postgresql"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    made = Server()
    yield made
    made.remove()


@pytest.fixture(params=["file", pytest.param("server", marks=ON_SERVER)])
def place(request, tmp_path):
    """Where an empty store can be made: a file, or a server."""
    if request.param == "file":
        return tmp_path / "deep" / "er" / "store.sqlite"
    return request.getfixturevalue("server").new()


@pytest.fixture
def other(request, tmp_path):
    """The other kind of place."""
    file = request.node.callspec.params["place"] == "file"
    return request.getfixturevalue("server").new() if file else tmp_path / "other.sqlite"
