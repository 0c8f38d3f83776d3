import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

/// Whether a BOLT12 invoice matches its invoice request: the rules of a careful payer.
struct PayerChecks {
    let invoice: Bolt12Invoice
    let request: InvoiceRequest
    let now: UnixTime
    let fault: InvoiceFault?

    private enum Subject: String, CaseIterable {
        case chain, expiry, request, node, signature, amount
    }

    init(
        invoice: Bolt12Invoice, request: InvoiceRequest, now: UnixTime, arrival: InvoiceArrival = .outsideLightning,
        sentToPath: Int? = nil
    ) {
        self.invoice = invoice
        self.request = request
        self.now = now
        let expected = Self.expectedAmount(of: request)
        let reception = InvoiceReception(
            arrival: arrival, now: now, chains: Set(Network.allCases.map(ChainHash.init)), sentToPath: sentToPath,
            authorized: request.amount == nil ? expected.map { $0...$0 } : nil)
        do throws(InvoiceFault) {
            try invoice.check(answering: request, reception)
            fault = nil
        } catch {
            fault = error
        }
    }

    /// The rules up to the first broken one; when all hold, also warnings.
    var all: [Check] {
        guard let fault else { return Subject.allCases.map(held) + [invoice.pathsCheck] }
        let failed = Self.subject(of: fault)
        return Subject.allCases.prefix { $0 != failed }.map(held)
            + [.failed(failed.rawValue, "\(detail(of: fault)) (rule \(fault.rule))")]
    }

    /// The amount of the offer; nil when it has none, or one in another currency.
    private static func expectedAmount(of request: InvoiceRequest) -> Millisatoshi? {
        try? request.offer.expectedAmount(quantity: request.quantity, converter: nil)
    }

    /// Parsing has checked the rules about the invoice itself; those about the path do not apply outside Lightning.
    private static func subject(of fault: InvoiceFault) -> Subject {
        switch fault {
        case .unsupportedChain: .chain
        case .expired: .expiry
        case .nodeIsNotIssuer, .nodeIsNotPathEnd: .node
        case .missingSignature, .invalidSignature: .signature
        case .amountIsNotRequested, .amountNotAuthorized: .amount
        default: .request
        }
    }

    private func held(_ subject: Subject) -> Check {
        let name = subject.rawValue
        switch subject {
        case .chain: return .passed(name, invoice.chainToPayOn.name)
        case .expiry: return .expiry(at: invoice.expiresAt, madeAt: invoice.createdAt, now: now)
        case .request: return .passed(name, "all its records are in the invoice")
        case .node where request.offer.issuerID != nil: return .passed(name, "the offer's issuer")
        case .node where request.answersOffer: return .passed(name, "the end of one of the offer's paths")
        case .node: return .passed(name, "any: the request answers no offer")
        case .signature: return .passed(name, "by node \(invoice.nodeID.hexadecimal)")
        case .amount: return amount
        }
    }

    private var amount: Check {
        let asked = invoice.amount.formatted
        if request.amount != nil { return .passed("amount", "\(asked), as requested") }
        if Self.expectedAmount(of: request) != nil { return .passed("amount", "\(asked), the offer's price") }
        return .warning("amount", "\(asked) for \(request.offer.price): check whether that is right")
    }

    private func detail(of fault: InvoiceFault) -> String {
        switch fault {
        case .expired: "expired at \(invoice.expiresAt.iso8601)"
        case .amountIsNotRequested:
            "\(invoice.amount.formatted), but \(request.amount?.formatted ?? "none") was requested"
        case .amountNotAuthorized: "\(invoice.amount.formatted), but the offer's price is \(request.offer.price)"
        default: fault.reason
        }
    }
}

extension Bolt12Invoice {
    var pathsCheck: Check {
        let count = fields.paths?.count ?? 0
        let usable = "\(usablePaths.count) of \(count) usable"
        guard usablePaths.count == count else {
            return .warning("paths", "\(usable): the others have an unknown feature")
        }
        let fitting = usablePaths.map(\.payinfo).contains { payinfo in
            amount >= payinfo.htlcMinimum && (parts != .one || amount <= payinfo.htlcMaximum)
        }
        return fitting ? .passed("paths", usable) : .warning("paths", "none lets \(amount.formatted) through")
    }

    var signatureCheck: Check {
        do throws(InvoiceFault) {
            try checkSignature()
            return .passed("signature", "by node \(nodeID.hexadecimal)")
        } catch {
            return .failed("signature", error.reason)
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
