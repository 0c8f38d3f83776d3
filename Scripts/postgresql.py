"""A PostgreSQL server for tests and trials: a fresh cluster in a folder, on loopback, without a password.

Usage: python3 postgresql.py start FOLDER    makes the cluster if there is none, starts it and prints the URL of its database
       python3 postgresql.py stop FOLDER
"""

import os
import pathlib
import pwd
import signal
import subprocess
import sys
import time

from service import free_port

# Debian keeps each major version's programs apart.
PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "200",
    "shared_buffers": "512MB",
    # Rare checkpoints: after each one, every page is first logged whole.
    "checkpoint_timeout": "30min",
    "max_wal_size": "4GB",
    "wal_compression": "lz4",
    "log_min_messages": "fatal",
}


class PostgreSQL:
    """Use it as a context: entering starts the server, leaving stops it."""

    def __init__(self, folder, **settings):
        self.folder = pathlib.Path(folder).absolute()
        self.data = self.folder / "cluster"
        self.log = self.folder / "postgresql.log"
        self.settings = SETTINGS | settings
        # The server refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def create(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.user:
            owner = pwd.getpwnam(self.user)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        initialize = ["initdb", "--pgdata", self.data, "--username", "responder", "--auth", "trust"]
        self.run(*initialize, "--encoding", "UTF8", "--locale", "C", "--data-checksums", "--no-sync")
        settings = {"port": free_port(), "unix_socket_directories": self.folder} | self.settings
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def start(self):
        is_new = not (self.data / "PG_VERSION").exists()
        if is_new:
            self.create()
        self.run("pg_ctl", "start", "--wait", "--pgdata", self.data, "--log", self.log)
        if is_new:
            self.query("CREATE DATABASE responder", database="postgres")

    def stop(self):
        """Closes all connections."""
        if (self.data / "postmaster.pid").exists():
            self.run("pg_ctl", "stop", "--wait", "--mode", "fast", "--pgdata", self.data)

    def kill(self):
        """As when the machine fails: every process of the server at once."""
        processes = self.signal(signal.SIGKILL)
        # It cannot be started again before the last one is gone.
        while any(pathlib.Path(f"/proc/{pid}").exists() for pid in processes):
            time.sleep(0.01)

    def signal(self, number):
        """Sends a signal to every process of the server; which they are."""
        processes = self.processes
        for pid in processes:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        return processes

    @property
    def processes(self):
        """The server's first process and those that it has started."""
        server = int(self.status[0])
        children = subprocess.run(["pgrep", "-P", str(server)], capture_output=True, text=True, check=False)
        return [server, *map(int, children.stdout.split())]

    @property
    def status(self):
        """The lines of the running server's own file: its process, folder, start, port …"""
        return (self.data / "postmaster.pid").read_text().splitlines()

    @property
    def url(self):
        return f"postgresql://responder@127.0.0.1:{self.status[3]}/responder?sslmode=disable"

    def query(self, text, database="responder"):
        """The rows of a query, each a list of texts."""
        command = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1"]
        address = ["--host", "127.0.0.1", "--port", self.status[3], "--username", "responder", "--dbname", database]
        return [line.split("|") for line in self.run(*command, *address, "--command", text).splitlines()]

    def run(self, program, *arguments):
        """What one of PostgreSQL's programs prints; its words where it fails."""
        with (self.folder / "programs.log").open("a+") as log:
            ended = subprocess.run(
                [PROGRAMS / program, *arguments], user=self.user, cwd=self.folder, stdout=subprocess.PIPE, stderr=log, text=True, check=False
            )
        if ended.returncode != 0:
            raise SystemExit(f"{program} failed:\n{(self.folder / 'programs.log').read_text()[-2000:]}{ended.stdout}")
        return ended.stdout


def main(command, folder):
    server = PostgreSQL(folder)
    if command == "stop":
        return server.stop()
    server.start()
    print(server.url)


if __name__ == "__main__":
    main(*sys.argv[1:])
