#!/usr/bin/env python3
"""Second implementation of what an HTTP answer of a service must be. Writes Vectors/http/; --check compares."""

import json

from vector_files import document, main

OWN = "Scripts/vectors/http_answers.py"
RULES = {
    "no-redirect": "The status is 300 to 399: many wallets follow no redirect.",
    "preflight": "The OPTIONS request of a browser is not answered with a status of 200 to 299 and "
    "Access-Control-Allow-Origin: * (Fetch Standard).",
    "status-200": "The status is not 200, although the body is what counts, also of an ERROR (LUD-01).",
    "content-type": "The type is not application/json, whatever its parameters (RFC 8259).",
    "error-form": 'A refusal is not {"status":"ERROR","reason":"..."} with a reason (LUD-01).',
    "cross-origin": "There is no Access-Control-Allow-Origin: * (LUD-01).",
    "cross-origin-once": "Access-Control-Allow-Origin stands there more than once (Fetch Standard).",
    "allowed-methods": "Access-Control-Allow-Methods is sent, and does not have GET (LUD-01).",
    "not-cached": "An answer of another step than info has no Cache-Control: no-store, or comes from a cache (Age above "
    "0); or info may be stored for more than 300 seconds (RFC 9111).",
}
TYPE = ["Content-Type", "application/json"]
ORIGIN = ["Access-Control-Allow-Origin", "*"]
NO_STORE = ["Cache-Control", "no-store"]
ERROR = '{"status":"ERROR","reason":"no such name"}'
BODIES = {
    "info": '{"tag":"payRequest","callback":"https://example.com/cb","minSendable":1000,"maxSendable":2000,"metadata":"[]"}',
    "invoice": '{"pr":"lnbc1","routes":[]}',
    "verify": '{"status":"OK","settled":false,"preimage":null,"pr":"lnbc1"}',
    "refusal": ERROR,
    "preflight": "",
}


def values(headers, name):
    return [value for key, value in headers if key.lower() == name.lower()]


def is_error(body):
    try:
        answer = json.loads(body)
    except ValueError:
        return False
    return isinstance(answer, dict) and answer.get("status") == "ERROR" and isinstance(answer.get("reason"), str) \
        and answer["reason"] != ""


def is_stored(step, headers):
    words = [word.strip() for word in ",".join(values(headers, "Cache-Control")).lower().split(",")]
    if step == "info":
        ages = [int(word.split("=")[1]) for word in words if word.startswith(("max-age=", "s-maxage="))]
        return max(ages, default=0) > 300
    return "no-store" not in words or values(headers, "Age")[:1] not in ([], ["0"])


def first_broken(step, status, headers, body):
    origins, methods = values(headers, "Access-Control-Allow-Origin"), values(headers, "Access-Control-Allow-Methods")
    kind = (values(headers, "Content-Type") or [""])[0].split(";")[0].strip().lower()
    is_preflight = step == "preflight"
    checks = {
        "no-redirect": 300 <= status <= 399,
        "preflight": is_preflight and not (200 <= status <= 299 and "*" in origins),
        "status-200": not is_preflight and status != 200,
        "content-type": not is_preflight and kind != "application/json",
        "error-form": step == "refusal" and not is_error(body),
        "cross-origin": not is_preflight and "*" not in origins,
        "cross-origin-once": len(origins) > 1,
        "allowed-methods": bool(methods) and not {"GET", "*"} & set(methods[0].replace(",", " ").split()),
        "not-cached": not is_preflight and is_stored(step, headers),
    }
    return next((rule for rule, is_broken in checks.items() if is_broken), None)


def answers():
    usual = [TYPE, ORIGIN, NO_STORE]
    for step in ("info", "invoice", "verify", "refusal"):
        yield f"{step}: an answer", step, 200, usual, None
    yield "preflight: no content", "preflight", 204, [ORIGIN, ["Access-Control-Allow-Methods", "GET, POST"]], None
    yield "preflight: any method", "preflight", 200, [ORIGIN, ["Access-Control-Allow-Methods", "*"]], None
    yield "preflight: no list of methods", "preflight", 200, [ORIGIN], None
    yield "names of fields in small letters", "invoice", 200, [[k.lower(), v] for k, v in usual], None
    yield "a type with a charset", "info", 200, [["Content-Type", "application/json; charset=utf-8"], ORIGIN, NO_STORE], None
    yield "a type in capital letters", "info", 200, [["Content-Type", "Application/JSON"], ORIGIN, NO_STORE], None
    yield "info: stored for a minute", "info", 200, [TYPE, ORIGIN, ["Cache-Control", "public, max-age=60"]], None
    yield "info: stored for five minutes", "info", 200, [TYPE, ORIGIN, ["Cache-Control", "max-age=300"]], None
    yield "info: nothing said about storing", "info", 200, [TYPE, ORIGIN], None
    yield "info: from a cache", "info", 200, [TYPE, ORIGIN, ["Cache-Control", "max-age=60"], ["Age", "30"]], None
    yield "invoice: more than no-store", "invoice", 200, [TYPE, ORIGIN, ["Cache-Control", "private, no-store"]], None
    yield "invoice: fresh from a cache", "invoice", 200, usual + [["Age", "0"]], None
    yield "GET among the methods", "info", 200, usual + [["Access-Control-Allow-Methods", "OPTIONS,GET"]], None
    for status in (301, 302, 303, 307, 308):
        yield f"a redirect with {status}", "info", status, usual + [["Location", "https://www.example.com/"]], None
    yield "invoice: a redirect", "invoice", 302, usual + [["Location", "/login"]], None
    for status in (201, 400, 404, 500):
        yield f"info: with {status}", "info", status, usual, None
        yield f"an ERROR with {status}", "refusal", status, usual, None
    yield "preflight: not allowed", "preflight", 405, [ORIGIN], None
    yield "preflight: no origin", "preflight", 204, [["Access-Control-Allow-Methods", "GET"]], None
    yield "preflight: one origin", "preflight", 204, [["Access-Control-Allow-Origin", "https://wallet.example"]], None
    yield "preflight: other methods", "preflight", 204, [ORIGIN, ["Access-Control-Allow-Methods", "POST, OPTIONS"]], None
    yield "preflight: two origins", "preflight", 204, [ORIGIN, ORIGIN], None
    for kind in ("text/html", "text/plain; charset=utf-8", "application/javascript", ""):
        yield f"a type of {kind or 'nothing'}", "invoice", 200, [["Content-Type", kind], ORIGIN, NO_STORE], None
    yield "no type", "verify", 200, [ORIGIN, NO_STORE], None
    for name, body in [
        ("in small letters", '{"status":"error","reason":"x"}'), ("without a reason", '{"status":"ERROR"}'),
        ("with an empty reason", '{"status":"ERROR","reason":""}'), ("with a number as reason", '{"status":"ERROR","reason":7}'),
        ("with message in place of reason", '{"status":"ERROR","message":"x"}'), ("in another form", '{"detail":"Not Found"}'),
        ("without a body", ""), ("as HTML", "<html></html>"), ("as an array", "[]"), ("as null", "null"),
    ]:
        yield f"a refusal {name}", "refusal", 200, usual, body
    for step in ("info", "invoice", "verify", "refusal"):
        yield f"{step}: no origin", step, 200, [TYPE, NO_STORE], None
    yield "the origin repeated", "invoice", 200, [TYPE, ["Access-Control-Allow-Origin", "https://wallet.example"], NO_STORE], None
    yield "the null origin", "invoice", 200, [TYPE, ["Access-Control-Allow-Origin", "null"], NO_STORE], None
    yield "the origin twice", "invoice", 200, usual + [ORIGIN], None
    yield "only POST", "invoice", 200, usual + [["Access-Control-Allow-Methods", "POST"]], None
    yield "get in small letters", "info", 200, usual + [["Access-Control-Allow-Methods", "get"]], None
    for step in ("invoice", "verify", "refusal"):
        yield f"{step}: nothing said about storing", step, 200, [TYPE, ORIGIN], None
        yield f"{step}: stored for a minute", step, 200, [TYPE, ORIGIN, ["Cache-Control", "max-age=60"]], None
    yield "invoice: no-cache alone", "invoice", 200, [TYPE, ORIGIN, ["Cache-Control", "no-cache"]], None
    yield "invoice: from a cache", "invoice", 200, usual + [["Age", "12"]], None
    yield "info: stored for a day", "info", 200, [TYPE, ORIGIN, ["Cache-Control", "public, max-age=86400"]], None
    yield "info: stored for a day by proxies", "info", 200, [TYPE, ORIGIN, ["Cache-Control", "max-age=60, s-maxage=86400"]], None


def cases():
    for name, step, status, headers, body in answers():
        body = BODIES[step] if body is None else body
        rule = first_broken(step, status, headers, body)
        verdict = {"expect": {"broken": 0}} if rule is None else {"reject": rule}
        yield {"name": name, "input": {"step": step, "status": status, "headers": headers, "body": body}} | verdict


def files():
    return {
        "http/answer.json": document(
            "HTTP answers of LNURL-pay", "answer",
            "An answer to `step`: info (LUD-06, the first step), invoice (the second), verify (LUD-21), refusal (of any of "
            "these), preflight (OPTIONS). Refuse it by the first broken rule, in the order of `rules`, or compare `broken`, 0. "
            "`lnurl doctor` checks the same rules live.",
            OWN, list(cases()), RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
