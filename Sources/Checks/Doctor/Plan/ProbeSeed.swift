package import LightningCoding
package import LightningCrypto

/// What the requests of one examination contain by chance, and when it began.
package struct ProbeSeed: Sendable {
    /// A name that no service knows.
    let unknownName: String
    /// A payment hash that no service knows, in hexadecimal.
    let unknownHash: String
    let key: SecretKey
    let now: UnixTime

    package init(now: UnixTime, random: RandomSource = SystemRandom.bytes) throws(CryptoFault) {
        unknownName = "doctor-" + Hexadecimal.encode(try random(8))
        unknownHash = Hexadecimal.encode(try random(32))
        key = try SecretKey(random: random)
        self.now = now
    }

    /// A zap request of about 2 kB, with what servers stumble over: `+`, quotes, emoji, a long text (NIP-57).
    func zapRequest(amount: UInt64) -> String? {
        let content = "1+1 = \"2\" ⚡ " + String(repeating: "lnurl doctor ", count: 110)
        let author = Hexadecimal.encode(key.publicKey.xOnly.bytes)
        let tags: JSONValue = [
            ["relays", "wss://relay.example"], ["amount", .string(String(amount))], ["p", .string(author)],
        ]
        let signed: JSONValue = [0, .string(author), .unsigned(now.seconds), 9734, tags, .string(content)]
        let id = SHA256.hash(signed.serializedBytes())
        guard let signature = try? key.schnorrSignature(of: id, auxiliaryRandom: nil) else { return nil }
        let event: JSONValue = [
            "id": .hexadecimal(id), "pubkey": .string(author), "created_at": .unsigned(now.seconds), "kind": 9734,
            "tags": tags, "content": .string(content), "sig": .hexadecimal(signature.bytes),
        ]
        return event.serialized()
    }
}
