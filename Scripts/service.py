"""A lightning-responder of one's own: free ports, a fresh folder, stopped at the end."""

import json
import os
import pathlib
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request


class Service:
    """Use it as a context: entering starts the service and waits until it is ready, leaving stops it."""

    def __init__(self, binaries, folder):
        self.binaries = pathlib.Path(binaries)
        self.folder = pathlib.Path(folder)
        self.address = f"127.0.0.1:{free_port()}"
        self.admin = f"127.0.0.1:{free_port()}"
        self.log = self.folder / "service.log"
        self.environment = {
            **os.environ,
            "RESPONDER_LISTEN": self.address,
            "RESPONDER_ADMIN_LISTEN": self.admin,
            "RESPONDER_DATA_DIRECTORY": str(self.folder / "data"),
            "RESPONDER_REPLIES_ALLOW_LOOPBACK": "true",
            # All clients are this machine.
            **{f"RESPONDER_RATES_{name}": "0" for name in ("NETWORK", "INFO", "VERIFY", "NOTIFIER", "ACCOUNT", "OPEN_INVOICES")},
        }
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def launch(self):
        """Starts the service, and does not wait."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.binaries / "lightning-responder", "serve"], env=self.environment, stdout=log, stderr=log
            )

    def start(self):
        self.launch()
        for _ in range(300):
            if self.process.poll() is not None:
                break
            try:
                if all(get(f"http://{self.admin}/health/{what}").status == 200 for what in ("ready", "parts")):
                    return
            except OSError:
                pass
            time.sleep(0.05)
        self.stop()
        raise SystemExit(f"lightning-responder did not become ready:\n{self.log.read_text()}")

    def stop(self):
        """Ends the service as an operator would; its exit status."""
        if self.process is None:
            return None
        self.process.terminate()
        status = self.process.wait(timeout=60)
        self.process = None
        return status

    def kill(self):
        """Ends the service without a word."""
        self.process.kill()
        self.process.wait()
        self.process = None

    def configure(self, settings):
        """What stands in the configuration file of the service and its commands from the next start: JSON is YAML."""
        file = self.folder / "responder.yaml"
        file.write_text(json.dumps(settings, default=str))
        self.environment["RESPONDER_CONFIG"] = str(file)

    def url(self, path):
        return f"http://{self.address}{path}"

    def put_account(self, name, settings):
        """Adds an account, or changes it."""
        self.ask_admin(f"/accounts/{name}", "PUT", settings)

    def invoice(self, payment_hash):
        """As the operator sees it: the preimage is nil before it is settled."""
        return self.ask_admin(f"/invoices/{payment_hash}")

    def ask_admin(self, path, method="GET", body=None):
        """What the admin listener answers, when it does not refuse."""
        token = (self.folder / "data" / "admin.token").read_text().strip()
        request = urllib.request.Request(
            f"http://{self.admin}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
        )
        answer = send(request)
        if answer.status not in (200, 201):
            raise SystemExit(f"{method} {path} was refused: {answer.status} {answer.body.decode()}")
        return answer.json

    def metric(self, name):
        """The sum of a metric over its labels, unless these are named with it."""
        page = get(f"http://{self.admin}/metrics").body.decode()
        return sum(map(int, re.findall(rf"^{re.escape(name)}(?:{{[^}}]*}})? (\d+)", page, re.MULTILINE)))

    def responder(self, *arguments):
        """The one JSON object that lightning-responder prints."""
        return self.run("lightning-responder", arguments, status=0)

    def lnurl(self, *arguments, status=0):
        """The one JSON object that lnurl prints, when it ends as it should; any status will do for None."""
        return self.run("lnurl", arguments, status)

    def run(self, program, arguments, status):
        command = [str(self.binaries / program), *arguments, "--json"]
        ended = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        if status is not None and ended.returncode != status:
            shown = " ".join(command)
            raise SystemExit(f"{shown}\nended with {ended.returncode}, not {status}\n{ended.stdout}{ended.stderr}")
        return json.loads(ended.stdout)


class Answer:
    """What a server said."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)


def get(url, **headers):
    return send(urllib.request.Request(url, headers=headers))


def post(url, body):
    data = json.dumps(body).encode()
    return send(urllib.request.Request(url, data=data, headers={"Content-Type": "application/json"}))


def send(request):
    # No proxy from the environment: all of this is loopback.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=30) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read())


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
