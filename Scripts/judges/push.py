"""A stand-in for APNs over the package h2, and one for a push service, verify tokens and decrypt messages with the package cryptography."""

import base64
import json
import socket
import subprocess
import threading
import time

import h2.config
import h2.connection
import h2.events
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from receiver import Receiver
from service import post

KEY_ID, TEAM, TOPIC, DEVICE = "ABC123DEFG", "DEF123GHIJ", "com.example.wallet", "ab" * 32


def unpadded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def claims(token, key):
    """Header and claims of a token signed with ES256; raises when the signature is wrong."""
    text, _, signature = token.rpartition(".")
    signature = decoded(signature)
    if len(signature) != 64:
        raise ValueError("the signature has not 64 bytes")
    r, s = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
    key.verify(utils.encode_dss_signature(r, s), text.encode(), ec.ECDSA(hashes.SHA256()))
    return [json.loads(decoded(part)) for part in text.split(".")]


class APNs:
    """Takes pushes on one stream at a time, without TLS."""

    def __init__(self):
        self.pushes, self.listener = [], socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        state.initiate_connection()
        connection.sendall(state.data_to_send())
        requests = {}
        while data := connection.recv(65536):
            for event in state.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    headers = [(name.decode(), value.decode()) for name, value in event.headers]
                    requests[event.stream_id] = (headers, bytearray())
                elif isinstance(event, h2.events.DataReceived):
                    requests[event.stream_id][1].extend(event.data)
                    state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    headers, body = requests.pop(event.stream_id)
                    self.pushes.append((dict(headers), json.loads(body)))
                    state.send_headers(event.stream_id, [(":status", "200")], end_stream=True)
            connection.sendall(state.data_to_send())


class PushService(Receiver):
    """A push service with one subscriber, who may have several subscriptions; while it is silent, it only counts messages."""

    def __init__(self):
        self.is_silent, self.unanswered = False, 0
        self.messages, self.secret = [], bytes(range(16))
        self.key = ec.generate_private_key(ec.SECP256R1())
        super().__init__()

    def take(self, path, headers, body):
        if self.is_silent:
            self.unanswered += 1
            threading.Event().wait()
        self.messages.append((path, {name.lower(): value for name, value in headers.items()}, body))
        return 201, None

    def subscription(self, number=1):
        """As an app registers it: where messages go, and two keys."""
        return f"{self.origin}/{number}", unpadded(point(self.key.public_key())), unpadded(self.secret)

    def token(self, number=1):
        """As it stands in a webhook's URL."""
        endpoint, key, secret = self.subscription(number)
        keys = {"p256dh": key, "auth": secret}
        return unpadded(json.dumps({"endpoint": endpoint, "expirationTime": None, "keys": keys}).encode())

    def opened(self, body):
        """The plaintext of a message (RFC 8291)."""
        salt, sender = body[:16], body[21:86]
        agreed = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + point(self.key.public_key()) + sender
        material = HKDF(hashes.SHA256(), 32, self.secret, info).derive(agreed)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(material)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(material)
        text = AESGCM(key).decrypt(nonce, body[86:], None)
        if text[-1] != 2:
            raise ValueError("the record does not end with its delimiter")
        return json.loads(text[:-1])


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def key_file(service, name):
    key = ec.generate_private_key(ec.SECP256R1())
    path = service.folder / name
    path.touch(mode=0o600)
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return path, key.public_key()


def settings(vapid_file):
    """Those of a service that pushes to this machine."""
    return {
        "RESPONDER_PUSH_VAPID_KEY_FILE": str(vapid_file), "RESPONDER_PUSH_VAPID_CONTACT": "mailto:push@example.com",
        "RESPONDER_PUSH_ALLOW_LOOPBACK": "true",
    }


def wait_until(condition):
    """Whether it holds within half a minute."""
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.05)
    return False


def outlives_kill(service, comparison, push_service, event):
    """Events that were answered with 200 are sent after kill -9, once each."""
    push_service.is_silent, push_service.messages = True, []
    numbers = range(1, 21)
    answers = [
        post(service.url(f"/api/v1/notify?platform=web&token={push_service.token(number)}"), event).status for number in numbers]
    comparison.same("notifications before the kill", {"statuses": answers}, {"statuses": [200] * len(numbers)})
    comparison.holds("pushes are under way when the service is killed", wait_until(lambda: push_service.unanswered > 0))
    service.kill()
    push_service.is_silent = False
    service.start()
    wait_until(lambda: len(push_service.messages) >= len(numbers))
    # What is sent twice comes later than what is sent once.
    time.sleep(1)
    sent = sorted(int(path.removeprefix("/")) for path, _, _ in push_service.messages)
    comparison.same("pushes after the kill", {"endpoints": sent}, {"endpoints": list(numbers)})


def judge_apns(service, comparison):
    """What the benchmark sends, since a service knows no server but Apple's."""
    apns = APNs()
    subprocess.run([service.binaries / "responder-bench", "push", apns.url, "1"], capture_output=True, check=True, timeout=120)
    # Its key.
    apns_key = ec.derive_private_key(int.from_bytes(b"\x42" * 32), ec.SECP256R1()).public_key()
    for headers, body in (apns.pushes[0], apns.pushes[-1]):
        read = comparison.accepts(
            "token for APNs", lambda headers=headers: claims(headers["authorization"].removeprefix("bearer "), apns_key))
        if read is None:
            continue
        header, claimed = read
        comparison.same(
            "token", {"alg": header["alg"], "kid": header["kid"], "iss": claimed["iss"]},
            {"alg": "ES256", "kid": KEY_ID, "iss": TEAM})
        comparison.holds("the token is at most 41 minutes old", 0 <= time.time() - claimed["iat"] < 2461)
        comparison.same(
            "push", {"path": headers[":path"], "topic": headers["apns-topic"], "type": headers["content-type"],
                     "mutable": body["aps"]["mutable-content"]},
            {"path": "/3/device/" + DEVICE, "topic": TOPIC, "type": "application/json", "mutable": 1})


def judge(service, comparison):
    judge_apns(service, comparison)
    push_service = PushService()
    vapid_file, vapid_key = key_file(service, "vapid.pem")
    service.stop()
    service.environment |= settings(vapid_file)
    service.start()
    question = {"template": "lnurlpay_info", "data": {"callback_url": "https://a/cb", "reply_url": "https://a/r/1"}}
    event = {"event": "swap.update", "data": {"id": "abc", "status": "transaction.mempool"}}
    answers = [
        post(service.url(f"/api/v1/notify?platform=web&token={push_service.token()}"), body).status for body in (question, event)]
    comparison.same("notifications", {"statuses": answers}, {"statuses": [200] * 2})
    wait_until(lambda: len(push_service.messages) >= 2)
    comparison.same("pushes", {"web": len(push_service.messages)}, {"web": 2})
    types = []
    for _, headers, body in push_service.messages:
        token, _, key = headers["authorization"].removeprefix("vapid t=").partition(", k=")
        comparison.holds("the key of the token is ours", decoded(key) == point(vapid_key))
        read = comparison.accepts("token for Web Push", lambda: claims(token, vapid_key))
        if read:
            comparison.same("claims", {"aud": read[1]["aud"]}, {"aud": push_service.origin})
            comparison.holds("the token is valid for at most a day", 0 < read[1]["exp"] - time.time() <= 86400)
        opened = comparison.accepts("message of Web Push", lambda: push_service.opened(body))
        types.append(opened and opened["notification_type"])
    comparison.same("messages", {"types": sorted(types)}, {"types": ["lnurlpay_info", "swap_updated"]})
    outlives_kill(service, comparison, push_service, event)
    push_service.server.shutdown()
