#!/usr/bin/env python3
"""A hook in front of a played node. Over HTTP: example.py FILE PORT; as a child of the responder: example.py FILE"""
import http.server, json, sys, threading, time
from node import Fault, Node

def answer(node, method, params):
    if method == "info":
        capabilities = {"precision": "msat", "preimage": True, "cancel": True, "offers": "none", "textLimit": 639}
        return {"version": 1, **node.info(), "capabilities": capabilities}
    if method == "limits": node.info(); return {"minimum": 1, "maximum": 10_000_000_000}
    if method == "create": return node.create(**params)
    if method == "status": return node.status(params["paymentHash"])
    if method == "cancel": return node.cancel(params["paymentHash"])
    if method == "notification" and params["type"] == "shop_order":
        order, account = params["payload"].get("order"), params["account"]
        if order is None: raise Fault("refused", "no order")
        text = {"title": "New order", "body": f"Order {order} for {account}"}
        return {"reply": {"order": order, "accepted": True}, "text": text}
    if method == "settlements":
        deadline = time.monotonic() + params["wait"]
        while not (found := node.settlements(params["after"], params["limit"])) and time.monotonic() < deadline:
            time.sleep(0.05)
        return {"settlements": found}
    raise Fault("unsupported", method)

class Door(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            params = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, body = 200, answer(node, self.path.rsplit("/", 1)[-1], params)
        except Fault as fault:
            status, body = 503 if fault.code == "unavailable" else 400, {"error": {"code": fault.code, "message": str(fault)}}
        octets = json.dumps(body).encode()
        self.send_response(status); self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(octets))); self.end_headers(); self.wfile.write(octets)
    def log_message(self, *words): pass

def reply(question):
    try: body = {"id": question["id"], "result": answer(node, question["method"], question["params"])}
    except Fault as fault: body = {"id": question["id"], "error": {"code": fault.code, "message": str(fault)}}
    with writing: print(json.dumps(body), flush=True)

node, writing = Node(sys.argv[1]), threading.Lock()
if len(sys.argv) > 2:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Door)
    print(server.server_port, flush=True); server.serve_forever()
for line in sys.stdin: threading.Thread(target=reply, args=(json.loads(line),), daemon=True).start()
