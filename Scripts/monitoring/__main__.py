"""monitoring PROMTOOL BINARIES FOLDER: the dashboard's expressions, and the page that a running service serves."""

import json
import pathlib
import re
import subprocess
import sys

from service import Service, free_port, get

promtool, binaries, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

dashboard = json.loads(pathlib.Path("docs/grafana.json").read_text())
expressions = [target["expr"].replace("$__rate_interval", "5m") for panel in dashboard["panels"] for target in panel["targets"]]
rules = [{"record": f"panel:{number}", "expr": expression} for number, expression in enumerate(expressions)]
(folder / "panels.yaml").write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))
subprocess.run([promtool, "check", "rules", folder / "panels.yaml"], check=True)

service = Service(binaries, folder)
service.environment["RESPONDER_ONION_PEER_LISTEN"] = f"127.0.0.1:{free_port()}"
with service:
    service.put_account("alice", {})
    service.lnurl("request", f"alice@{service.address}", "21sat")
    page = get(f"http://{service.admin}/metrics").body
subprocess.run([promtool, "check", "metrics"], input=page, check=True)
lines = page.decode().splitlines()
served = set(re.findall(r"^# TYPE (\S+)", page.decode(), flags=re.MULTILINE))
named = set(re.findall(r"\bresponder_[a-z_]+", "\n".join(expressions) + pathlib.Path("docs/alerts.yaml").read_text()))
# It comes with the first of them.
missing = {re.sub("_(bucket|sum|count)$", "", name) for name in named} - served - {"responder_push_alarms_total"}
if missing:
    raise SystemExit(f"not served: {', '.join(sorted(missing))}")
print(f"{len(named)} metrics of the dashboard and the alerts are served; the page of a new service has {len(lines)} lines")
