public import LightningCoding
public import LightningCrypto

/// The answer to whether an invoice has been paid (LUD-21).
public struct VerifyResponse: Equatable, Sendable {
    /// Whether the money is there for good.
    public let settled: Bool
    /// The proof of payment; nil before it is settled, and when the service keeps it.
    public let preimage: Preimage?
    /// The invoice in question.
    public let pr: String

    /// An answer of ours: settled if, and only if, there is a preimage to show.
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

    /// Reads a service's answer. An empty preimage is none.
    public init(json: JSONValue) throws(LNURLFault) {
        let answer = try AnswerReader(json)
        settled = try answer.bool(.settled)
        pr = try answer.string(.pr)
        let text = answer.value(.preimage) == nil ? "" : try answer.string(.preimage)
        guard !text.isEmpty else {
            preimage = nil
            return
        }
        guard settled else { throw .preimageBeforeSettlement }
        do {
            preimage = try Preimage(hexadecimal: text)
        } catch {
            throw .malformed(.preimage)
        }
    }
}
