"""Equal instances on one PostgreSQL, behind haproxy."""

import pathlib
import shutil
import signal
import subprocess
import time

from service import Service, free_port

# What every instance of an installation must have the same; the first one makes them.
KEYS = ("*.key", "*.token")


class Instance(Service):
    """One of several; its folder holds copies of the installation's keys."""

    def __init__(self, number, binaries, folder, environment):
        super().__init__(binaries, pathlib.Path(folder) / f"instance-{number}")
        self.name = f"instance-{number}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.environment |= {"RESPONDER_INSTANCE_NAME": self.name, "RESPONDER_LOG_FORMAT": "json", **environment}

    def take_keys(self, other):
        """Copies the keys of another instance."""
        source, target = other.folder / "data", self.folder / "data"
        target.mkdir(mode=0o700, exist_ok=True)
        for pattern in KEYS:
            for file in source.glob(pattern):
                shutil.copy2(file, target / file.name)

    @property
    def processes(self):
        return [self.process.pid]

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)


def start(binaries, path, server, environment, settings=None):
    """Three instances on one server, running: the first makes the keys of all."""
    environment = {
        "RESPONDER_LEDGER_URL": server.url,
        "RESPONDER_EMBEDDED_DATABASE": str(path / "embedded-node.sqlite"),
        "RESPONDER_PUBLIC_URL": "http://127.0.0.1:8080",
        **environment,
    }
    instances = [Instance(number, binaries, path, environment) for number in (1, 2, 3)]
    if settings:
        for each in instances:
            each.configure(settings)
    instances[0].responder("ledger", "migrate")
    for each in instances:
        if each is not instances[0]:
            each.take_keys(instances[0])
        each.start()
    return instances


class Balancer:
    """haproxy: asks each instance whether it is ready, and repeats what an instance did not take."""

    def __init__(self, folder, instances):
        self.folder = pathlib.Path(folder)
        self.address = f"127.0.0.1:{free_port()}"
        self.instances = instances
        self.process = None

    def __enter__(self):
        file = self.folder / "haproxy.cfg"
        file.write_text(self.configuration)
        with (self.folder / "haproxy.log").open("ab") as log:
            self.process = subprocess.Popen(["haproxy", "-f", file, "-db"], stdout=log, stderr=log)
        time.sleep(0.5)
        if self.process.poll() is not None:
            raise SystemExit(f"haproxy did not start:\n{(self.folder / 'haproxy.log').read_text()}")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=10)

    @property
    def configuration(self):
        servers = "\n".join(
            f"    server {each.name} {each.address} check port {each.admin.rsplit(':')[-1]} inter 1s fall 2 rise 1"
            " on-marked-down shutdown-sessions"
            for each in self.instances
        )
        return CONFIGURATION.format(address=self.address, servers=servers)


CONFIGURATION = """\
defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 35s
    option redispatch 1
    retries 2
    retry-on conn-failure empty-response
    option http-keep-alive

frontend payers
    bind {address}
    default_backend instances

backend instances
    balance roundrobin
    option httpchk GET /health/ready
{servers}
"""


def holder(instance):
    """Which instance holds each lease, as any instance tells."""
    shown = instance.responder("instances")
    return {lease: each["name"] for each in shown["instances"] for lease in each["leases"]}
