#!/usr/bin/env python3
"""Second implementation of which reply URLs are refused, and when replies are sent again. Writes Vectors/responder/reply-url.json
and retry.json; --check compares."""

import ipaddress
import re

from vector_files import document, main

OWN = "Scripts/vectors/replies.py (Python's ipaddress)"
RULES = {
    "text-unknown-scheme": "The text begins with neither https:// nor http://.",
    "text-user-info": "The text has a user name before the host.",
    "text-empty-host": "The text has no host.",
    "text-invalid-host": "The host is neither a name nor an address as a URL writes it.",
    "text-url-not-ascii": "The text has characters beyond ASCII.",
    "text-invalid-port": "The port is not a number from 1 to 65535.",
    "text-fragment": "The text has a fragment, after #.",
    "text-invalid-url-character": "A character is not allowed in a path or query.",
    "policy-address": "The host is an address that is not public, or a name for this machine.",
    "policy-clearnet-http": "It is plain http, and neither an allowed onion service nor, where allowed, this machine.",
    "policy-port": "The port is neither the usual one nor among allowedPorts.",
    "policy-host-not-listed": "allowedHosts has neither the host nor a domain above it.",
    "policy-host-not-listed-behind-proxy": "Behind a proxy addresses cannot be checked, and the host is not in allowedHosts.",
    "policy-onion-not-listed": "It is an onion service that is not in allowedHosts.",
    "policy-onion-without-proxy": "It is an onion service, and there is no SOCKS proxy.",
    "connection-address": "When connecting: none of the host's addresses may be reached.",
}
TARGET = re.compile(r"[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]*")
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
ONION = "a" * 56 + ".onion"


class Refused(Exception):
    """By a rule."""


def split(text):
    """Scheme, host, port and the rest of a URL."""
    if any(ord(character) > 127 for character in text):
        raise Refused("text-url-not-ascii")
    scheme, separator, rest = text.partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        raise Refused("text-unknown-scheme")
    end = min((rest.index(mark) for mark in "/?#" if mark in rest), default=len(rest))
    authority, target = rest[:end], rest[end:]
    if "@" in authority:
        raise Refused("text-user-info")
    host, port = split_authority(authority)
    if "#" in target and TARGET.fullmatch(target[:target.index("#")]):
        raise Refused("text-fragment")
    if not TARGET.fullmatch(target):
        raise Refused("text-invalid-url-character")
    return scheme.lower(), host, port, target


def split_authority(authority):
    if authority.startswith("["):
        inside, bracket, rest = authority[1:].partition("]")
        try:
            ipaddress.IPv6Address(inside)
        except ValueError:
            bracket = ""
        if not bracket or "%" in inside:
            raise Refused("text-invalid-host")
        host = inside.lower()
    else:
        host, colon, rest = authority.partition(":")
        rest = colon + rest
        host = host.lower()
        if not host:
            raise Refused("text-empty-host")
        if not all(LABEL.fullmatch(label) for label in host.split(".")) or is_odd_number(host):
            raise Refused("text-invalid-host")
    if not rest:
        return host, None
    if not re.fullmatch(r":[1-9][0-9]{0,4}", rest) or int(rest[1:]) > 65535:
        raise Refused("text-invalid-port")
    return host, int(rest[1:])


def address_of(host):
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_odd_number(host):
    """A name that some resolvers take for an address, and that is none of four decimal numbers."""
    last = host.split(".")[-1]
    return (last.isdigit() or last.startswith("0x")) and address_of(host) is None


def unmapped(address):
    return getattr(address, "ipv4_mapped", None) or address


def is_public(address):
    address = unmapped(address)
    return address.is_global and not address.is_multicast and not address.is_reserved


def is_loopback(host):
    address = address_of(host)
    return host == "localhost" or address is not None and address.is_loopback


def is_covered(host, domains):
    return any(host == domain or address_of(host) is None and host.endswith("." + domain) for domain in domains)


def reply_url(url, allowedHosts=None, allowedPorts=(), proxy=None, allowsLoopback=False, addresses=None):
    scheme, host, port, target = split(url)
    may_be_local = allowsLoopback and proxy is None
    if not (is_loopback(host) and may_be_local):
        check_host(host, allowedHosts, proxy)
        if scheme == "http" and not host.endswith(".onion"):
            raise Refused("policy-clearnet-http")
        if port not in (None, 443 if scheme == "https" else 80, *allowedPorts):
            raise Refused("policy-port")
    if addresses is not None:
        found = [unmapped(ipaddress.ip_address(text)) for text in addresses]
        if not any(is_public(address) or may_be_local and address.is_loopback for address in found):
            raise Refused("connection-address")
    written = f"[{host}]" if ":" in host else host
    return {"url": f"{scheme}://{written}{f':{port}' if port else ''}{target if target.startswith('/') else '/' + target}"}


def check_host(host, allowed, proxy):
    listed = None if allowed is None else is_covered(host, allowed)
    if host.endswith(".onion"):
        if not listed:
            raise Refused("policy-onion-not-listed")
        if not (proxy or "").startswith("socks5"):
            raise Refused("policy-onion-without-proxy")
        return
    address = address_of(host)
    if is_loopback(host) or host.endswith(".localhost") or address is not None and not is_public(address):
        raise Refused("policy-address")
    if listed is False:
        raise Refused("policy-host-not-listed")
    if not listed and proxy is not None:
        raise Refused("policy-host-not-listed-behind-proxy")


def inputs():
    usual = "https://ln.example/response/1"
    yield "a public host", {"url": usual}
    yield "a port that is usual", {"url": "https://ln.example:443/response/1"}
    yield "a query", {"url": "https://ln.example/response?id=1"}
    yield "no path", {"url": "https://ln.example"}
    yield "capital letters", {"url": "HTTPS://LN.Example/Response"}
    yield "a public address", {"url": "https://8.8.8.8/r"}
    yield "a public address of version 6", {"url": "https://[2606:4700::1111]/r"}
    yield "another port that is allowed", {"url": "https://ln.example:8443/r", "allowedPorts": [8443]}
    yield "a listed host", {"url": usual, "allowedHosts": ["ln.example"]}
    yield "below a listed domain", {"url": "https://a.ln.example/r", "allowedHosts": ["ln.example"]}
    yield "a listed host behind a proxy", {"url": usual, "allowedHosts": ["ln.example"], "proxy": "http://10.0.0.1:3128"}
    yield "a listed onion over Tor", {"url": f"http://{ONION}/r", "allowedHosts": [ONION], "proxy": "socks5h://127.0.0.1:9050"}
    yield "this machine where it is allowed", {"url": "http://127.0.0.1:8080/r", "allowsLoopback": True}
    yield "this machine by name where it is allowed", {"url": "http://localhost:8080/r", "allowsLoopback": True}
    for text in ("lnurl.example/r", "ftp://ln.example/r", "//ln.example/r", "https:ln.example"):
        yield f"no scheme of the web: {text}", {"url": text}
    yield "a user name", {"url": "https://ln.example@10.0.0.1/r"}
    yield "no host", {"url": "https:///r"}
    for host in ("127.1", "0x7f000001", "2130706433", "0177.0.0.1", "-a.example", "a..example", "[::1", "[fe80::1%eth0]"):
        yield f"a host that readers take for another: {host}", {"url": f"https://{host}/r"}
    yield "an international name", {"url": "https://ln.exämple/r"}
    for port in ("0", "65536", "080", "a"):
        yield f"the port {port}", {"url": f"https://ln.example:{port}/r"}
    yield "a fragment", {"url": "https://ln.example/r#1"}
    yield "a space", {"url": "https://ln.example/a b"}
    yield "a backslash", {"url": "https://ln.example/\\@10.0.0.1"}
    for host in ("127.0.0.1", "localhost", "a.localhost", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1",
                 "0.0.0.0", "224.0.0.1", "[::1]", "[fe80::1]", "[fc00::1]", "[::ffff:10.0.0.1]", "[::]"):
        yield f"inside: {host}", {"url": f"https://{host}/r"}
    yield "an address inside that is listed", {"url": "https://10.0.0.1/r", "allowedHosts": ["10.0.0.1"]}
    yield "this machine behind a proxy", {"url": "http://127.0.0.1/r", "allowsLoopback": True, "proxy": "http://10.0.0.1:3128"}
    yield "plain http", {"url": "http://ln.example/r"}
    yield "another port", {"url": "https://ln.example:8443/r"}
    yield "port 80 over https", {"url": "https://ln.example:80/r"}
    yield "a host that is not listed", {"url": usual, "allowedHosts": ["other.example"]}
    yield "a name that ends like a listed one", {"url": "https://badln.example/r", "allowedHosts": ["ln.example"]}
    yield "behind a proxy without a list", {"url": usual, "proxy": "http://10.0.0.1:3128"}
    yield "an onion that is not listed", {"url": f"http://{ONION}/r", "proxy": "socks5h://127.0.0.1:9050"}
    yield "an onion without a proxy", {"url": f"http://{ONION}/r", "allowedHosts": [ONION]}
    yield "an onion over another proxy", {"url": f"http://{ONION}/r", "allowedHosts": [ONION], "proxy": "http://10.0.0.1:3128"}
    yield "a public host with a public address", {"url": usual, "addresses": ["8.8.8.8"]}
    yield "one of two addresses is public", {"url": usual, "addresses": ["10.0.0.1", "8.8.8.8"]}
    for address in ("10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fc00::1", "::ffff:127.0.0.1", "100.64.0.1"):
        yield f"a public name that leads inside: {address}", {"url": usual, "addresses": [address]}
    yield "a listed name that leads inside", {"url": usual, "allowedHosts": ["ln.example"], "addresses": ["192.168.1.1"]}
    yield "a name that leads to this machine where it is allowed", {
        "url": usual, "addresses": ["127.0.0.1"], "allowsLoopback": True}
    yield "a name without addresses", {"url": usual, "addresses": []}


def reply_cases():
    for name, case in inputs():
        try:
            verdict = {"expect": reply_url(**case)}
        except Refused as refusal:
            verdict = {"reject": str(refusal)}
        yield {"name": name, "input": case} | verdict


PAUSES = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]


def retry_cases():
    for attempts in range(len(PAUSES) + 2):
        for drawn in ("0000", "8000", "ffff"):
            pause = PAUSES[attempts - 1] if 0 < attempts <= len(PAUSES) else None
            value = None if pause is None else pause + pause * int(drawn, 16) // 2**18
            name = f"after {attempts} attempts, {drawn} drawn"
            yield {"name": name, "input": {"attempts": attempts, "random": drawn}, "expect": {"pause": value}}


def files():
    return {
        "responder/reply-url.json": document(
            "Replies to notifications", "reply-url",
            "May a reply be posted to `url`? By the text, by the policy (`allowedHosts` with what is below them, `allowedPorts` "
            "besides the usual ones, `proxy`, `allowsLoopback`), and, once the host is resolved, by its `addresses`. The name of the "
            "rule begins with the stage that refuses: text, policy or connection. Compare `url`, as it is asked.",
            OWN, list(reply_cases()), RULES,
        ),
        "responder/retry.json": document(
            "Replies to notifications", "retry",
            "How many seconds after `attempts` failed attempts is the next one made? `random` is two random bytes: they add up to a "
            "quarter. Compare `pause`, null when there is no further attempt.",
            "Scripts/vectors/replies.py", list(retry_cases()), {},
        ),
    }


if __name__ == "__main__":
    main(files())
