#!/usr/bin/env python3
"""Second implementation of time zones and quiet hours, over Python's zoneinfo. Writes Vectors/devices/; --check compares."""

import datetime
import io
import struct
import zoneinfo

from luds import Refused, judged
from vector_files import document, main

OWN = "Scripts/vectors/quiet_hours.py (zoneinfo of Python)"
RULES = {
    "malformed": "The file is no compiled time zone (RFC 9636).",
    "version": "The file is of version 1, which ends in 2038.",
}
UTC = datetime.timezone.utc


def half(version, times, changes, kinds, names):
    width = ">q" if times == 8 else ">l"
    head = b"TZif" + version + bytes(15) + struct.pack(">6l", 0, 0, 0, len(changes), len(kinds), len(names))
    body = b"".join(struct.pack(width, moment) for moment, _ in changes) + bytes(kind for _, kind in changes)
    return head + body + b"".join(struct.pack(">lBB", offset, daylight, 0) for offset, daylight in kinds) + names


def compiled(rule, changes=(), kinds=((0, 0),), version=b"2"):
    """A file as zic writes it with -b slim: the first half is empty."""
    names = b"LMT\0"
    return half(version, 4, (), ((0, 0),), b"\0") + half(version, 8, changes, kinds, names) + b"\n" + rule.encode() + b"\n"


ZONES = {
    "Oslo": compiled("CET-1CEST,M3.5.0,M10.5.0/3", kinds=((3600, 0),)),
    "New York": compiled("EST5EDT,M3.2.0,M11.1.0", kinds=((-18000, 0),)),
    "Sydney, in the south": compiled("AEST-10AEDT,M10.1.0,M4.1.0/3", kinds=((36000, 0),)),
    "Lord Howe, half an hour": compiled("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", kinds=((37800, 0),)),
    "Dublin, winter is the exception": compiled("IST-1GMT0,M10.5.0,M3.5.0/1", kinds=((0, 0),)),
    "Nuuk, a change before midnight": compiled("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", kinds=((-7200, 0),)),
    "Gaza, a change after the day": compiled("EET-2EEST,M3.4.4/50,M10.4.4/50", kinds=((7200, 0),)),
    "Kathmandu, without changes": compiled("<+0545>-5:45", kinds=((20700, 0),)),
    "Kiritimati, 14 hours ahead": compiled("<+14>-14", kinds=((50400, 0),)),
    "UTC": compiled("UTC0"),
    "a day counted without the leap day": compiled("AAA3BBB,J60/0,J300/0", kinds=((-10800, 0),)),
    "a day counted from 0": compiled("AAA3BBB,59/0,300/0", kinds=((-10800, 0),)),
    "a rule after two changes": compiled(
        "CET-1CEST,M3.5.0,M10.5.0/3", ((1000000000, 1), (1500000000, 0)), ((3600, 0), (10800, 1))),
    "changes without a rule": compiled("", ((1700000000, 1), (1800000000, 2)), ((3600, 0), (7200, 1), (-7200, 0))),
}


def offset_at(file, at):
    if len(file) > 65536 or file[:4] != b"TZif" or len(file) < 44:
        raise Refused("malformed")
    if file[4:5] < b"2":
        raise Refused("version")
    # Python looks for the end of the rule for ever.
    if not file.endswith(b"\n"):
        raise Refused("malformed")
    try:
        zone = zoneinfo.ZoneInfo.from_file(io.BytesIO(file))
    except (ValueError, struct.error, IndexError, EOFError):
        raise Refused("malformed") from None
    moment = datetime.datetime.fromtimestamp(at, UTC).astimezone(zone)
    return int(moment.utcoffset().total_seconds())


def offset(zone, at):
    return {"offset": offset_at(bytes.fromhex(zone), at)}


def minute(text):
    hour, minutes = text.split(":")
    return int(hour) * 60 + int(minutes)


def until(zone, **given):
    start, end = minute(given["from"]), minute(given["to"])

    def quiet(at):
        local = (at + offset_at(bytes.fromhex(zone), at)) // 60 % 1440
        return start <= local < end if start <= end else local >= start or local < end

    now = given["now"]
    if not quiet(now):
        return {"until": None}
    at = now - now % 60
    while quiet(at):
        at += 60
    return {"until": at}


def unix(*parts):
    return int(datetime.datetime(*parts, tzinfo=UTC).timestamp())


def offsets():
    for name, file in ZONES.items():
        for year in (2024, 2026, 2037, 2040, 2099):
            for month in (1, 4, 7, 10):
                if year == 2026 or month in (1, 7):
                    given = {"zone": file.hex(), "at": unix(year, month, 1, 12)}
                    yield f"{name}, {year}-{month:02}", given, None
    oslo = ZONES["Oslo"]
    for seconds in (-1, 0):
        yield f"Oslo, spring {seconds:+}", {"zone": oslo.hex(), "at": unix(2026, 3, 29, 1) + seconds}, None
        yield f"Oslo, autumn {seconds:+}", {"zone": oslo.hex(), "at": unix(2026, 10, 25, 1) + seconds}, None
    for moment in (0, 999999999, 1000000000, 1499999999, 1500000000):
        yield f"two changes, at {moment}", {"zone": ZONES["a rule after two changes"].hex(), "at": moment}, None
    for moment in (1699999999, 1700000000, 1800000000):
        yield f"no rule, at {moment}", {"zone": ZONES["changes without a rule"].hex(), "at": moment}, None
    yield "no file", {"zone": "", "at": 0}, "malformed"
    yield "another file", {"zone": b"PK\x03\x04".hex() + "00" * 60, "at": 0}, "malformed"
    yield "version 1", {"zone": compiled("", version=b"\0").hex(), "at": 0}, "version"
    yield "cut off in the first half", {"zone": oslo[:40].hex(), "at": 0}, "malformed"
    yield "cut off in the second half", {"zone": oslo[:80].hex(), "at": 0}, "malformed"
    yield "cut off in the rule", {"zone": oslo[:-1].hex(), "at": 0}, "malformed"
    for rule in ("CET", "CET-1CEST", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0"):
        yield f"the rule {rule}", {"zone": compiled(rule).hex(), "at": 0}, "malformed"


def hours():
    def given(zone, start, end, now):
        return {"zone": ZONES[zone].hex(), "from": start, "to": end, "now": now}

    yield "before, in winter", given("Oslo", "22:00", "07:00", unix(2026, 1, 10, 20, 59, 59)), None
    yield "from the first second, in winter", given("Oslo", "22:00", "07:00", unix(2026, 1, 10, 21)), None
    yield "the last second, in winter", given("Oslo", "22:00", "07:00", unix(2026, 1, 11, 5, 59, 59)), None
    yield "after, in winter", given("Oslo", "22:00", "07:00", unix(2026, 1, 11, 6)), None
    yield "in summer", given("Oslo", "22:00", "07:00", unix(2026, 7, 10, 23)), None
    yield "before, in summer", given("Oslo", "22:00", "07:00", unix(2026, 7, 10, 19, 59)), None
    yield "a short night: clocks are set forward", given("Oslo", "22:00", "07:00", unix(2026, 3, 28, 23)), None
    yield "a long night: clocks are set back", given("Oslo", "22:00", "07:00", unix(2026, 10, 24, 23)), None
    yield "an end that the clock skips", given("Oslo", "22:00", "02:30", unix(2026, 3, 28, 23)), None
    yield "an end that the clock shows twice", given("Oslo", "22:00", "02:30", unix(2026, 10, 24, 23)), None
    yield "between the two", given("Oslo", "22:00", "02:30", unix(2026, 10, 25, 1, 10)), None
    yield "within a day", given("New York", "13:00", "15:30", unix(2026, 6, 1, 18)), None
    yield "within a day, before", given("New York", "13:00", "15:30", unix(2026, 6, 1, 16, 59)), None
    yield "never", given("Oslo", "22:00", "22:00", unix(2026, 1, 10, 21)), None
    yield "all but a minute", given("Oslo", "00:01", "00:00", unix(2026, 1, 10, 0)), None
    yield "until midnight", given("Oslo", "18:00", "00:00", unix(2026, 1, 10, 20)), None
    yield "on the next day already", given("Kiritimati, 14 hours ahead", "00:00", "06:00", unix(2026, 1, 10, 12)), None
    yield "a quarter of an hour off", given("Kathmandu, without changes", "22:00", "07:00", unix(2026, 1, 10, 16, 20)), None
    yield "a night of half an hour more", given("Lord Howe, half an hour", "22:00", "07:00", unix(2026, 4, 4, 12)), None


def files():
    return {
        "devices/time-zone.json": document(
            "Devices", "time-zone",
            "How many seconds are added to UTC `at` that second since 1970? `zone` is a compiled time zone. Compare `offset`.",
            OWN, judged(offset, offsets()), RULES,
        ),
        "devices/quiet-hours.json": document(
            "Devices", "quiet-hours",
            "There are no alerts `from` one time of the day `to` another, in the compiled time zone `zone`. Compare `until`, the"
            " first full minute after `now` that is not quiet; null when `now` is not.",
            OWN, judged(until, hours()), RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
