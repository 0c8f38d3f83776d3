import Bolt11
import LNURL
import LightningCoding
import LightningCrypto

/// Whether a response about a payment is consistent (LUD-21).
struct SettlementChecks {
    let answer: VerifyResponse
    /// The invoice in the response, when it can be parsed.
    let invoice: Bolt11Invoice?

    init(_ answer: VerifyResponse) {
        self.answer = answer
        invoice = try? Bolt11Invoice(answer.pr)
    }

    var all: [Check] {
        var checks: [Check] = []
        if invoice == nil { checks.append(.warning("invoice", "the answer's pr cannot be read as BOLT11")) }
        if answer.settled { checks.append(proof) }
        return checks
    }

    private var proof: Check {
        guard let preimage = answer.preimage else {
            return .warning("preimage", "settled, but the service shows no proof")
        }
        guard let invoice else { return .warning("preimage", "no invoice to compare it with") }
        return preimage.paymentHash == invoice.paymentHash
            ? .passed("preimage", "its SHA-256 is the payment hash")
            : .failed("preimage", "its SHA-256 is not the payment hash, so it proves nothing")
    }
}
