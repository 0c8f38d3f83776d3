public import LightningCoding
public import LightningCrypto

/// The response of LNURL-verify (LUD-21).
public struct VerifyResponse: Equatable, Sendable {
    /// Whether the payment is final.
    public let settled: Bool
    /// The proof of payment; nil before settlement, and when the service does not disclose it.
    public let preimage: Preimage?
    /// The invoice.
    public let pr: String

    /// Creates a response: settled if and only if there is a preimage.
    public init(preimage: Preimage?, pr: String) {
        settled = preimage != nil
        self.preimage = preimage
        self.pr = pr
    }

    /// The body.
    public var json: JSONValue {
        [
            "status": "OK",
            "settled": .bool(settled),
            "preimage": .text(preimage?.hexadecimal),
            "pr": .string(pr),
        ]
    }

    /// Parses a service's response. An empty preimage counts as none.
    public init(json: JSONValue) throws(LNURLFault) {
        let answer = try ServiceResponse(response: json)
        settled = try answer.flag("settled")
        pr = try answer.text("pr")
        let text = !answer.has("preimage") ? "" : try answer.text("preimage")
        guard !text.isEmpty else {
            preimage = nil
            return
        }
        guard settled else { throw .preimageBeforeSettlement }
        preimage = try rethrowing(Preimage(hexadecimal: text), as: LNURLFault.malformed(.preimage))
    }
}
