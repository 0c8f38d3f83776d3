"""axe-core and Debian's Chromium, with and without JavaScript, judge the pages of the notification center."""

import importlib.util
import pathlib
import sqlite3
import time
import urllib.request

from browser import Browser
from service import send

HOSTILE = 'x"\u0301 autofocus onfocus="document.title=1"><img src=/robots.txt onerror="document.title=2">'
TAB = "\ue004"


def judge(service, comparison):
    folder = pathlib.Path(service.folder)
    registered = service.lnurl(
        "push", "register", service.url(""), "--key-file", str(folder / "owner.key"), "--device-key-file",
        str(folder / "device.key"), "--secret-file", str(folder / "device.secret"), "--install", "phone", "--platform", "fcm", "--token", "a-token")
    ledger = Ledger(folder / "data" / "ledger.sqlite", bytes.fromhex(registered["identity"].removeprefix("ln:")))
    for number in range(1, 4):
        ledger.add(f"m{number}", f"You received {number} sat")
    ledger.add("hostile", HOSTILE)
    secret = (folder / "device.secret").read_text().strip()
    without_scripts(service, comparison, secret)
    with_scripts(service, comparison, secret, ledger)


class Ledger:
    """Adds messages as another instance would: behind the service's back."""

    def __init__(self, path, owner):
        self.path, self.owner = path, owner

    def add(self, name, title):
        with sqlite3.connect(self.path, timeout=30) as connection:
            connection.execute("UPDATE device_owner SET newest = newest + 1 WHERE owner = ?", (self.owner,))
            now = int(time.time())
            connection.execute(
                "INSERT INTO device_message (message_id, owner, sequence, type, priority, title, body, link_type, link_target,"
                " created_at, expires_at) SELECT ?, owner, newest, 'payment_received', 'normal', ?, 'From a payer', 'payment',"
                " ?, ?, ? FROM device_owner WHERE owner = ?", (name, title, "ab" * 32, now, now + 86400, self.owner))


def link(service, secret):
    """A link as an app asks for it."""
    request = urllib.request.Request(
        service.url("/v1/links"), method="POST", data=b"", headers={"Authorization": f"Bearer {secret}"})
    return send(request).json["url"]


def without_scripts(service, comparison, secret):
    with Browser(scripts=False) as browser:
        def shows(subject, selector, texts):
            comparison.same(subject, {"texts": browser.texts(selector, texts)}, {"texts": texts})

        browser.open(service.url("/notifications"))
        shows("a page without a session", "h1", ["Not signed in"])
        url = link(service, secret)
        browser.open(url)
        browser.click("button", "Open my notifications")
        shows("a link", "h1", ["Messages"])
        titles = [HOSTILE, *(f"You received {number} sat" for number in (3, 2, 1))]
        shows("the messages without JavaScript", "h2", titles)
        comparison.holds("no element is made of a message", browser.find("h2 *, img, [onfocus], [onerror]") == [])
        browser.click("article button", "Mark as read")
        shows("one is marked as read", "#unread", ["3 unread"])
        browser.click("article button", "Delete")
        shows("one is deleted", "h2", titles[1:])
        browser.click("button", "Mark all as read")
        shows("all are marked", "#unread", ["0 unread"])
        browser.click("a", "Preferences")
        browser.click("#push")
        browser.click("button", "Save")
        shows("preferences are saved", "[role=status]", ["Saved."])
        browser.click("button", "Sign out")
        shows("after signing out", "h1", ["Not signed in"])
        browser.open(url)
        browser.click("button", "Open my notifications")
        shows("a used link", "h1", ["This link cannot be used"])


def with_scripts(service, comparison, secret, ledger):
    axe = pathlib.Path(importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]) / "axe.min.js"
    source = axe.read_text()
    ledger.add("again", HOSTILE)
    ledger.add("long", "a" * 110)
    with Browser() as browser:
        def examine(name):
            for scheme in ("light", "dark"):
                browser.emulate(scheme, width=320)
                browser.run(source)
                found = browser.wait("axe.run(document).then(arguments[arguments.length - 1])")
                comparison.same(
                    f"axe-core {found['testEngine']['version']}, {name}, {scheme}",
                    {"violations": [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found["violations"]]},
                    {"violations": []})
            fits = browser.run("return document.documentElement.scrollWidth <= 320 && window.innerWidth === 320")
            comparison.holds(f"{name} fits into 320 pixels", fits)

        browser.open(service.url("/notifications"))
        examine("the page without a session")
        browser.open(link(service, secret))
        examine("the page of a link")
        browser.click("button")
        browser.texts("h1", ["Messages"])
        examine("the messages")
        comparison.same(
            "a button is described by the message that it is about", {"button": description(browser)},
            {"button": "a" * 110})
        reached = tabbed(browser)
        comparison.same("the keyboard reaches everything", {"count": len(reached)}, {
            "count": len(browser.find("a, button, input:not([type=hidden]), select"))})
        others = browser.texts("h2")[2:]
        ledger.add("new", "You received 4 sat")
        told = ["There are new messages. Show them."]
        comparison.same("a new message is told", {"news": browser.texts("#news a", told)}, {"news": told})
        comparison.same("what is unread, live", {"unread": browser.texts("#unread", ["3 unread"])}, {"unread": ["3 unread"]})
        examine("the messages with news")
        browser.click("#news a")
        titles = ["You received 4 sat", "a" * 110, HOSTILE]
        comparison.same("the new message", {"titles": browser.texts("h2", [*titles, *others])}, {"titles": [*titles, *others]})
        browser.click("a", "Preferences")
        browser.texts("h1", ["Preferences"])
        examine("the preferences")
        browser.click("button", "Save")
        browser.texts("[role=status]", ["Saved."])
        examine("preferences that were saved")
        # The statuses 400 and 401 are meant; what the policy blocks would stand here too.
        complaints = [text for text in browser.complaints() if "status of 40" not in text and "favicon" not in text]
        comparison.same("the console", {"complaints": complaints}, {"complaints": []})
        comparison.holds("no script of a message has run", browser.run("return document.title") == "Preferences")


def description(browser):
    """What a screen reader says besides the name of the first button about a message."""
    return browser.run(
        "const button = document.querySelector('article button');"
        "return document.getElementById(button.getAttribute('aria-describedby')).textContent")


def tabbed(browser):
    """The elements that the tabulator key reaches, each with a visible focus."""
    reached = []
    browser.open(browser.url())
    for _ in range(100):
        browser.press(TAB)
        state = browser.run(
            "const element = document.activeElement; if (element === document.body || element.seen) return null;"
            "element.seen = true; return getComputedStyle(element).outlineStyle")
        if state is None:
            break
        reached.append(state)
    return [state for state in reached if state != "none"]
