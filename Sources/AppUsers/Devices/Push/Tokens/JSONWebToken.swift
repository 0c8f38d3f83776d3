package import LightningCoding
package import LightningCrypto

/// A signed token in compact form (RFC 7515): header, claims and signature in base64url.
package enum JSONWebToken {
    /// A token signed with ES256.
    package static func es256(
        header: JSONObject, claims: JSONObject, _ key: P256SecretKey
    ) throws(CryptoFault) -> String {
        let text = signedText(header, claims)
        return text + "." + Base64URL.encode(try key.sign(Array(text.utf8)))
    }

    /// A token signed with RS256.
    package static func rs256(
        header: JSONObject, claims: JSONObject, _ key: RSASecretKey
    ) throws(CryptoFault) -> String {
        let text = signedText(header, claims)
        return text + "." + Base64URL.encode(try key.sign(Array(text.utf8)))
    }

    private static func signedText(_ header: JSONObject, _ claims: JSONObject) -> String {
        [header, claims].map { Base64URL.encode(JSONValue.object($0).serializedBytes()) }.joined(separator: ".")
    }
}
