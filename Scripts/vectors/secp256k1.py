"""secp256k1: keys, ECDSA with recovery (RFC 6979), BIP-340. Plain integers, slow, for public test keys only; PyPI's coincurve would
be the library that the package itself uses."""

import hashlib
import hmac

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def add(a, b):
    """The sum of two points; None is the point at infinity."""
    if a is None:
        return b
    if b is None:
        return a
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(k, point=G):
    result = None
    while k:
        if k & 1:
            result = add(result, point)
        point = add(point, point)
        k >>= 1
    return result


def lift(x, odd):
    """The point with that abscissa, or None when there is none."""
    if x >= P:
        return None
    y = pow(x**3 + 7, (P + 1) // 4, P)
    if (y * y - x**3 - 7) % P:
        return None
    return x, (P - y if y & 1 != odd else y)


def parse(data):
    """A compressed point of 33 bytes, or None."""
    if len(data) != 33 or data[0] not in (2, 3):
        return None
    return lift(int.from_bytes(data[1:], "big"), data[0] & 1)


def serialize(point):
    return bytes([2 + (point[1] & 1)]) + point[0].to_bytes(32, "big")


def public(secret):
    return serialize(multiply(int.from_bytes(secret, "big")))


def agree(secret, point):
    """The secret that two keys share."""
    return hashlib.sha256(serialize(multiply(int.from_bytes(secret, "big"), parse(point)))).digest()


def nonces(secret, digest):
    """RFC 6979 with HMAC-SHA-256."""
    message = (int.from_bytes(digest, "big") % N).to_bytes(32, "big")
    k, v = bytes(32), b"\x01" * 32
    for separator in (b"\x00", b"\x01"):
        k = hmac.digest(k, v + separator + secret + message, "sha256")
        v = hmac.digest(k, v, "sha256")
    while True:
        v = hmac.digest(k, v, "sha256")
        yield int.from_bytes(v, "big")
        k = hmac.digest(k, v + b"\x00", "sha256")
        v = hmac.digest(k, v, "sha256")


def ecdsa_sign(secret, digest):
    """(R ‖ S, recovery id), S in the lower half."""
    d, z = int.from_bytes(secret, "big"), int.from_bytes(digest, "big")
    for k in nonces(secret, digest):
        if not 0 < k < N:
            continue
        point = multiply(k)
        r = point[0] % N
        s = pow(k, -1, N) * (z + r * d) % N
        if r == 0 or s == 0:
            continue
        recovery = (point[1] & 1) | (2 if point[0] >= N else 0)
        if s > N // 2:
            s, recovery = N - s, recovery ^ 1
        return r.to_bytes(32, "big") + s.to_bytes(32, "big"), recovery


def ecdsa_recover(signature, recovery, digest):
    """The compressed public key, or None."""
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (0 < r < N and 0 < s < N):
        return None
    point = lift(r + (N if recovery & 2 else 0), recovery & 1)
    if point is None:
        return None
    inverse, z = pow(r, -1, N), int.from_bytes(digest, "big")
    key = add(multiply(s * inverse % N, point), multiply(-z * inverse % N))
    return key and serialize(key)


def ecdsa_verify(public_key, signature, digest):
    """Whether the signature is that key's, with S in either half."""
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (0 < r < N and 0 < s < N):
        return False
    inverse, z = pow(s, -1, N), int.from_bytes(digest, "big")
    point = add(multiply(z * inverse % N), multiply(r * inverse % N, parse(public_key)))
    return point is not None and point[0] % N == r


def tagged(tag, message):
    """BIP-340's tagged hash; the tag is bytes."""
    prefix = hashlib.sha256(tag).digest()
    return hashlib.sha256(prefix + prefix + message).digest()


def schnorr_sign(secret, message, auxiliary=bytes(32)):
    d = int.from_bytes(secret, "big")
    point = multiply(d)
    if point[1] & 1:
        d = N - d
    x = point[0].to_bytes(32, "big")
    masked = (d ^ int.from_bytes(tagged(b"BIP0340/aux", auxiliary), "big")).to_bytes(32, "big")
    k = int.from_bytes(tagged(b"BIP0340/nonce", masked + x + message), "big") % N
    nonce = multiply(k)
    if nonce[1] & 1:
        k = N - k
    r = nonce[0].to_bytes(32, "big")
    e = int.from_bytes(tagged(b"BIP0340/challenge", r + x + message), "big") % N
    return r + ((k + e * d) % N).to_bytes(32, "big")


def schnorr_verify(x, message, signature):
    point = lift(int.from_bytes(x, "big"), 0)
    r, s = signature[:32], int.from_bytes(signature[32:], "big")
    if point is None or s >= N or int.from_bytes(r, "big") >= P:
        return False
    e = int.from_bytes(tagged(b"BIP0340/challenge", r + x + message), "big") % N
    nonce = add(multiply(s), multiply(N - e, point))
    return nonce is not None and nonce[1] & 1 == 0 and nonce[0].to_bytes(32, "big") == r
