"""Computes the result of every case in Vectors/ from its input, with implementations that share no code with the package, and
fails where one differs from what the file says. --complete writes the results of cases that have none yet."""

import json
import pathlib
import sys

import bech32
import bigsize
import blinded_paths
import bolt11
import bolt11_reader
import bolt12
import http_answers
import lud01
import lud06
import lud09
import lud10
import lud12
import lud16
import lud17
import lud18
import lud21
import noise
import onion_packets
import push
import registrations
import responder
import tlv
from refused import Refused

ROOT = pathlib.Path(__file__).resolve().parents[2] / "Vectors"
# What each file's cases are computed with: a function of the members of `input`, which gives the members of `expect`.
IMPLEMENTATIONS = {
    "bech32/decode": bech32.decoded,
    "bech32/encode": bech32.encoded,
    "bech32/regroup": bech32.regrouped,
    "bigsize/decode": bigsize.decoded,
    "bigsize/encode": bigsize.encoded,
    "bolt-04/packet": onion_packets.packet,
    "bolt-04/peel": onion_packets.peeled,
    "bolt-04/send": onion_packets.sent,
    "bolt-08/frame": noise.framed,
    "bolt-08/initiate": noise.initiated,
    "bolt-08/read": noise.read,
    "bolt-08/respond": noise.responded,
    "bolt-11/decode": bolt11_reader.read,
    "bolt-11/sign": bolt11.signed,
    "bolt-12/answer": bolt12.answer,
    "bolt-12/invoice": bolt12.invoice,
    "bolt-12/invoice-error": bolt12.invoice_error,
    "bolt-12/invoice-request": bolt12.invoice_request,
    "bolt-12/make-invoice-request": bolt12.make_invoice_request,
    "bolt-12/merkle-root": bolt12.root,
    "bolt-12/offer": bolt12.offer,
    "bolt-12/text": bolt12.normalized,
    "http/answer": http_answers.answer,
    "lud-01/decode": lud01.decoded,
    "lud-01/recognize": lud01.recognize,
    "lud-06/callback": lud06.callback,
    "lud-06/callback-url": lud06.callback_url,
    "lud-06/metadata": lud06.metadata,
    "lud-06/pay-invoice": lud06.pay_invoice,
    "lud-06/pay-request": lud06.pay_request,
    "lud-09/success-action": lud09.action,
    "lud-10/open": lud10.decrypt,
    "lud-10/seal": lud10.seal,
    "lud-12/comment": lud12.fits,
    "lud-16/address": lud16.address,
    "lud-16/path-segment": lud16.segment,
    "lud-16/tag": lud16.tagged,
    "lud-17/decode": lud17.decode,
    "lud-17/encode": lud17.encode,
    "lud-18/description-hash": lud18.description_hash,
    "lud-18/payer-data": lud18.payer_data,
    "lud-21/verify": lud21.verify,
    "lud-26/callback": lud06.callback,
    "push/notify": push.notify,
    "push/vapid": push.vapid,
    "push/web-push-open": push.open_,
    "push/web-push-seal": push.seal,
    "registration/breez-statements": registrations.breez,
    "registration/replies": registrations.reply,
    "responder/read": responder.read,
    "route-blinding/blind": blinded_paths.blinded,
    "route-blinding/message-order": blinded_paths.message_order,
    "route-blinding/message-path": blinded_paths.message_path,
    "route-blinding/path": blinded_paths.path,
    "route-blinding/payinfo": blinded_paths.payinfo,
    "route-blinding/payment-order": blinded_paths.payment_order,
    "route-blinding/payment-path": blinded_paths.payment_path,
    "route-blinding/unblind": blinded_paths.unblinded,
    "tlv/parse": tlv.parsed,
    "tlv/truncated-integer": tlv.integer,
}
# Where rules of a text in bech32 compete, of which nobody says which to find first; and the prefix that it must have.
BECH32 = {"bech32/decode": None, "bolt-11/decode": None, "bolt-12/text": "lno", "lud-01/decode": None}


def result(name, given, rules):
    """What comes of an input: `expect`, or `reject` with the rule, or with all of the file's that it breaks."""
    try:
        return {"expect": IMPLEMENTATIONS[name](**given)}
    except Refused as refused:
        first = str(refused)
    broken = bech32.broken(given.get("text", given.get("invoice")), BECH32[name]) if name in BECH32 else []
    if first not in broken:
        return {"reject": first}
    found = [first] + [rule for rule in broken if rule != first and rule in rules]
    return {"reject": found if len(found) > 1 else first}


def exactly(value):
    """What tells 1 from true."""
    return json.dumps(value, sort_keys=True)


def first_rule(case):
    rule = case.get("reject")
    return rule[0] if isinstance(rule, list) else rule


def faults(name, text, file):
    """What is wrong with a file whose results are computed again."""
    kinds = {}
    for case in file["cases"]:
        found = result(name, case["input"], file["rules"])
        if exactly(case | found) != exactly(case):
            yield f"{case['name']}: {json.dumps(found, ensure_ascii=False)}"
        if (rule := first_rule(case)) and kinds.setdefault(rule, case["kind"]) != case["kind"]:
            yield f"{case['name']}: {rule} is of the kind {kinds[rule]} elsewhere"
    if set(file["rules"]) != set(kinds):
        yield f"rules that reject no case, or are not explained: {set(file['rules']) ^ set(kinds)}"
    if len({case["name"] for case in file["cases"]}) < len(file["cases"]):
        yield "a name stands twice"
    if text != rendered(file):
        yield "not a line for each case and rule"


def rendered(file):
    """A file's text: one line for each case, so that a change of one shows as one line."""
    lines = []
    for key, value in file.items():
        if key == "cases":
            cases = ",\n".join("    " + json.dumps(case, ensure_ascii=False) for case in value)
            lines.append(f'  "cases": [\n{cases}\n  ]')
        elif key == "rules" and value:
            rules = ",\n".join(
                f"    {json.dumps(name)}: {json.dumps(text, ensure_ascii=False)}" for name, text in value.items()
            )
            lines.append(f'  "rules": {{\n{rules}\n  }}')
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(complete):
    paths = {str(path.relative_to(ROOT).with_suffix("")): path for path in sorted(ROOT.glob("*/*.json"))}
    found = [f"no file or no implementation: {name}" for name in sorted(paths.keys() ^ IMPLEMENTATIONS.keys())]
    cases = 0
    for name, path in paths.items():
        text = path.read_text(encoding="utf-8")
        file = json.loads(text)
        if complete:
            for case in file["cases"]:
                if not case.keys() & {"expect", "reject"}:
                    case.update(result(name, case["input"], file["rules"]))
            text = rendered(file)
            path.write_text(text, encoding="utf-8")
        cases += len(file["cases"])
        found += [f"{name}: {fault}" for fault in faults(name, text, file)]
    for fault in found:
        print(fault, file=sys.stderr)
    print(f"{len(paths)} files, {cases} results computed again, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--complete"]):
        sys.exit(f"usage: {sys.argv[0]} [--complete]")
    sys.exit(main(complete=bool(sys.argv[1:])))
