"""A PostgreSQL server for tests: Debian's, on a folder and a socket of its own, gone when they are done."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

FAST = "-c listen_addresses='' -c fsync=off -c shared_buffers=16MB -c max_connections=40"

OTHERS_END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hapenny'"
OURS = "SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)'"


def programs():
    """The folder of `initdb`, None if there is none on this machine."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    where = found[-1] if found else shutil.which("initdb")
    return Path(where).parent if where else None


class Server:
    """Runs from `start` to `stop`; as root, under the account `postgres`, for the server refuses to be root."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="pg", dir=tempfile.gettempdir()))  # a socket's path must be short
        self.account = {}
        if os.getuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.account = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        self.call("initdb", "-U", "hapenny", "-A", "trust", "-N", "--no-instructions", "-E", "UTF8", "--locale=C")
        self.start()

    def call(self, program, *arguments):
        command = [programs() / program, "-D", self.folder / "data", *arguments]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
        subprocess.run(command, check=True, timeout=120, cwd=self.folder, **quiet, **self.account)

    def start(self):
        log = self.folder / "log"
        self.call("pg_ctl", "start", "-w", "-l", log, "-o", f"{FAST} -k {self.folder}")

    def stop(self):
        self.call("pg_ctl", "stop", "-w", "-m", "immediate")

    def url(self, database="postgres"):
        return f"postgresql://hapenny@/{database}?host={self.folder}"

    def new(self):
        """The URL of an empty database: the one that there is, emptied, for making another takes its time."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(OTHERS_END)
            for (schema,) in connection.execute(OURS).fetchall():
                connection.execute(f'DROP SCHEMA "{schema}" CASCADE')
            connection.execute("CREATE SCHEMA public")
        return self.url()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)
