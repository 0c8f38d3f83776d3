"""Debian's Chromium without a window, spoken to over WebDriver (W3C Recommendation of 2018) with nothing but the standard library."""

import json
import subprocess
import time
import urllib.error
import urllib.request

from service import free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """Use it as a context: entering starts chromedriver and a browser with a profile of its own."""

    def __init__(self, scripts=True):
        options = {
            "binary": "/usr/bin/chromium",
            # A sandbox needs privileges that a container does not have; it opens pages of this machine only.
            "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"],
            "prefs": {} if scripts else {"profile.managed_default_content_settings.javascript": 2},
        }
        self.wanted = {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
            "timeouts": {"script": 30000, "pageLoad": 30000, "implicit": 0},
        }
        self.base = f"http://127.0.0.1:{free_port()}"

    def __enter__(self):
        self.driver = subprocess.Popen(
            ["/usr/bin/chromedriver", f"--port={self.base.rpartition(':')[2]}"], stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self.ask("GET", "/status")
                break
            except OSError:
                time.sleep(0.05)
        value = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": self.wanted}})
        self.base += f"/session/{value['sessionId']}"
        return self

    def __exit__(self, *_):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(timeout=30)

    def ask(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(
            self.base + path, method=method, data=data, headers={"Content-Type": "application/json"})
        # No proxy from the environment: all of this is loopback.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, url):
        self.ask("POST", "/url", {"url": url})

    def url(self):
        return self.ask("GET", "/url")

    def find(self, selector):
        """The elements of a CSS selector."""
        found = self.ask("POST", "/elements", {"using": "css selector", "value": selector})
        return [element[ELEMENT] for element in found]

    def texts(self, selector):
        return [self.ask("GET", f"/element/{element}/text") for element in self.find(selector)]

    def click(self, selector, text=None):
        """Clicks the first such element, or the first with that text; returns its accessible name."""
        for element in self.find(selector):
            if text is None or self.ask("GET", f"/element/{element}/text") == text:
                name = self.ask("GET", f"/element/{element}/computedlabel")
                self.ask("POST", f"/element/{element}/click")
                return name
        raise RuntimeError(f"nothing to click: {selector} {text or ''}")

    def type(self, selector, text):
        element = self.find(selector)[0]
        self.ask("POST", f"/element/{element}/clear")
        self.ask("POST", f"/element/{element}/value", {"text": text})

    def press(self, key):
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script):
        """Runs a script that calls its last argument when it is done."""
        return self.ask("POST", "/execute/async", {"script": script, "args": []})

    def emulate(self, scheme, width):
        """A person's screen: light or dark, so many CSS pixels wide."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.command("Emulation.setEmulatedMedia", features=features)
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=700, deviceScaleFactor=1, mobile=False)

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def complaints(self):
        """What the browser has written on its console since the last call."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})]
