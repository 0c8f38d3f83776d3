import Bolt11
import LNURL
import LightningCoding
import LightningCrypto

/// Whether an invoice matches its request (LUD-06, LUD-18): a wallet's checks before paying.
struct InvoiceChecks {
    let invoice: Bolt11Invoice
    let answer: PayInvoice
    let request: PayRequest
    let query: CallbackQuery
    /// The network that it must be on; nil when not given.
    let network: Network?
    /// Whether an invoice that does not commit to the metadata is refused.
    let isHashStrict: Bool
    let now: UnixTime

    var all: [Check] {
        let checks = [signature, amount, descriptionHash, networkCheck, expiry]
        return answer.successAction.map { checks + [Self.action($0)] } ?? checks
    }

    private var signature: Check {
        .passed("signature", "by node \(invoice.payee.hexadecimal)")
    }

    private var amount: Check {
        switch invoice.amount {
        case query.amount?: .passed("amount", "\(query.amount.formatted), as asked")
        case let other?: .failed("amount", "\(other.formatted), but \(query.amount.formatted) was asked")
        case nil: .failed("amount", "none, but \(query.amount.formatted) was asked")
        }
    }

    private var descriptionHash: Check {
        let name = "description"
        let mismatch = isHashStrict ? Check.failed : Check.warning
        guard case .hash(let found) = invoice.description else {
            return mismatch(name, "a text instead of the hash of the metadata")
        }
        if found == PayMetadata.descriptionHash(of: request.metadata) {
            return .passed(name, "the SHA-256 of the metadata")
        }
        if let payerData = query.payerData,
            found == PayMetadata.descriptionHash(of: request.metadata, payerData: payerData)
        {
            return .passed(name, "the SHA-256 of the metadata and the payer data (LUD-18's first text)")
        }
        return mismatch(name, "not the hash of the metadata")
    }

    private var networkCheck: Check {
        let found = invoice.network
        if let network {
            return found == network
                ? .passed("network", "\(found.rawValue), as asked")
                : .failed("network", "\(found.rawValue), but \(network.rawValue) was asked")
        }
        guard found == .bitcoin || request.callback.isLoopback else {
            return .warning("network", "\(found.rawValue): not real bitcoin")
        }
        return .passed("network", found.rawValue)
    }

    private var expiry: Check {
        if invoice.contents.isExpired(at: now) { return .failed("expiry", "expired at \(invoice.expiresAt.iso8601)") }
        return .expiry(at: invoice.expiresAt, madeAt: invoice.timestamp, now: now)
    }

    /// Parsing has already checked the rules: an invalid action cannot be represented.
    private static func action(_ action: SuccessAction) -> Check {
        switch action {
        case .message: .passed("action", "a message of at most 144 characters, for after the payment")
        case .url(let link): .passed("action", "a link to the callback's host, \(link.url.host), for after the payment")
        case .aes: .passed("action", "a text that the preimage will open")
        }
    }
}

extension Check {
    /// Whether there is time to pay an unexpired invoice.
    static func expiry(at end: UnixTime, madeAt start: UnixTime, now: UnixTime) -> Check {
        let left = end.seconds(since: now)
        // Allows clock skew of minutes, not hours.
        if start.seconds(since: now) > 600 {
            return .warning("expiry", "created in the future, at \(start.iso8601): one of the clocks is wrong")
        }
        if left < 60 { return .warning("expiry", "in \(left) seconds, which may be too short to pay") }
        return .passed("expiry", "in \(left) seconds, at \(end.iso8601)")
    }
}
