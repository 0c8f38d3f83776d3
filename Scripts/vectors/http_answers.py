"""What an HTTP answer of an LNURL service must be."""

import json

from refused import Refused


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


def answer(step, status, headers, body):
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
    for rule, is_broken in checks.items():
        if is_broken:
            raise Refused(rule)
    return {"broken": 0}
