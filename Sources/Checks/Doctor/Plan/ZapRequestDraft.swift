import LightningCoding
import LightningCrypto

/// A zap request of about 2 kB, with what servers stumble over: `+`, quotes, emoji, a long text (NIP-57).
struct ZapRequestDraft {
    let text: String
    /// The same with a wrong signature.
    let forged: String
    /// Valid, but for another amount than that of the request.
    let otherAmount: String

    /// Nil when the service does not accept zaps.
    init?(_ evidence: Evidence, amount: UInt64, seed: ProbeSeed) {
        guard evidence.info.member("allowsNostr")?.bool == true, evidence.info.nostrPubkey != nil,
            let text = Self.event(amount, seed), let other = Self.event(amount &+ 1000, seed)
        else { return nil }
        self.text = text
        otherAmount = other
        // The signature is at the end; its last digit is changed.
        let digit = text.dropLast(2).last ?? "0"
        forged = text.dropLast(3) + (digit == "0" ? "1" : "0") + "\"}"
    }

    private static func event(_ amount: UInt64, _ seed: ProbeSeed) -> String? {
        let content = "1+1 = \"2\" ⚡ " + String(repeating: "lnurl doctor ", count: 110)
        let author = Hexadecimal.encode(seed.key.publicKey.xOnly.bytes)
        let tags: JSONValue = [
            ["relays", "wss://relay.example"], ["amount", .string(String(amount))], ["p", .string(author)],
        ]
        let signed: JSONValue = [0, .string(author), .unsigned(seed.now.seconds), 9734, tags, .string(content)]
        let id = SHA256.hash(signed.serializedBytes())
        guard let signature = try? seed.key.schnorrSignature(of: id, auxiliaryRandom: nil) else { return nil }
        let event: JSONValue = [
            "id": .hexadecimal(id), "pubkey": .string(author), "created_at": .unsigned(seed.now.seconds), "kind": 9734,
            "tags": tags, "content": .string(content), "sig": .hexadecimal(signature.bytes),
        ]
        return event.serialized()
    }
}
