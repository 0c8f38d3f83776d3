"""lnurl doctor, as an operator runs it, finds nothing wrong with the service."""

import pathlib
import tempfile
import xml.etree.ElementTree


def judge(service, comparison):
    # What wallets expect, and every kind of payer data that is not a signature.
    service.put_account("examined", {
        "description": "Sats for the doctor", "minSendable": 1000, "commentAllowed": 144,
        "payerData": {"name": "optional", "identifier": "mandatory"},
    })
    service.put_account("plain", {"description": "Nothing but sats", "minSendable": 1000})
    for name in ("examined", "plain"):
        with tempfile.TemporaryDirectory() as folder:
            junit, html = pathlib.Path(folder) / "report.xml", pathlib.Path(folder) / "report.html"
            report = service.lnurl(
                "doctor", f"{name}@{service.address}", "--deep", "--rate", "1000", "--junit", str(junit), "--html", str(html),
                status=None)
            suites = xml.etree.ElementTree.parse(junit).getroot()
            page = html.read_text()
        for finding in report["findings"]:
            if finding["verdict"] in ("warning", "failed"):
                print(f"  {finding['verdict']}: {finding['name']}: {finding['detail']}")
        comparison.holds(f"{name}: {report['counts']['passed']} checks pass, {report['counts']['skipped']} are skipped", report["ok"])
        comparison.holds(
            "the JUnit report has every check",
            len(suites.findall("testsuite/testcase")) == len(report["findings"]) and not suites.findall(".//failure"))
        comparison.holds("the HTML report has every check", all(finding["name"] in page for finding in report["findings"]))
