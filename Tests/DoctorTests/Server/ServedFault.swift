import Bolt11
import LightningCoding

/// What is wrong with a server: nothing, or one thing.
struct ServedFault: Sendable {
    /// Where the name is; nil for the port on this machine.
    var domain: String?
    var limits: ClosedRange<UInt64> = 1000...100_000_000
    var metadataChange: @Sendable (inout String) -> Void = { _ in }
    /// The same, in the second round.
    var laterMetadata: @Sendable (inout String) -> Void = { _ in }
    /// Changes a request before it is read.
    var before: @Sendable (inout ServedRequest) -> Void = { _ in }
    /// Refuses a request.
    var refuses: @Sendable (ServedRequest) -> Bool = { _ in false }
    /// Skips a rule of the server.
    var skips: Set<ServedRule> = []
    /// Changes an invoice before it is signed.
    var draft: @Sendable (ServedRequest, inout DraftInvoice) -> Void = { _, _ in }
    /// Changes an answer.
    var after: @Sendable (ServedRequest, inout ServedAnswer) -> Void = { _, _ in }
    /// The same, once the verify URL was asked: in the second round.
    var later: @Sendable (ServedRequest, inout ServedAnswer) -> Void = { _, _ in }
    var laterDraft: @Sendable (inout DraftInvoice) -> Void = { _ in }
    var dns = ServedDNS()
    /// The network that the doctor is told to expect.
    var network: Network?
}

/// Rules of the server that a fault may skip.
enum ServedRule: Hashable, Sendable {
    case name, limits, amountForm, comment, mandatory, signature, zapSignature, zapAmount, hash, hashLength, verifyName
}

/// An invoice before it is signed.
struct DraftInvoice {
    var amount: UInt64?
    var description: Bolt11Description
    var timestamp: UInt64
    var expiry: UInt64 = 600
    var paymentHash: [UInt8]
}

extension ServedFault {
    static func with(_ change: (inout ServedFault) -> Void) -> ServedFault {
        var fault = ServedFault()
        change(&fault)
        return fault
    }

    /// Changes members of the first answer.
    static func info(_ change: @escaping @Sendable (inout JSONObject) -> Void) -> ServedFault {
        with { $0.after = { request, answer in if request.isInfo, !answer.isError { change(&answer.body) } } }
    }

    /// Changes members of answers with an invoice.
    static func invoice(_ change: @escaping @Sendable (inout JSONObject) -> Void) -> ServedFault {
        with { $0.after = { request, answer in if request.isCallback, !answer.isError { change(&answer.body) } } }
    }

    /// Changes members of answers about an invoice.
    static func verify(_ change: @escaping @Sendable (inout JSONObject) -> Void) -> ServedFault {
        with { $0.after = { request, answer in if request.isVerify, !answer.isError { change(&answer.body) } } }
    }

    /// Changes invoices that are not for zaps.
    static func draft(_ change: @escaping @Sendable (inout DraftInvoice) -> Void) -> ServedFault {
        with { $0.draft = { request, draft in if !request.isZap { change(&draft) } } }
    }

    /// Changes the metadata, in the answer and in the hash.
    static func metadata(_ change: @escaping @Sendable (inout String) -> Void) -> ServedFault {
        with { $0.metadataChange = change }
    }

    /// Reads an amount that is no number of millisatoshis.
    static func amount(_ read: @escaping @Sendable (String) -> UInt64?) -> ServedFault {
        with { fault in
            fault.before = { request in
                guard request.isCallback, let text = request["amount"], UInt64(digits: text) == nil else { return }
                if let number = read(text) { request["amount"] = String(number) }
            }
        }
    }

    static func refusing(_ refuses: @escaping @Sendable (ServedRequest) -> Bool) -> ServedFault {
        with { $0.refuses = refuses }
    }

    static func skipping(_ rules: ServedRule...) -> ServedFault { with { $0.skips = Set(rules) } }

    static func dns(_ change: (inout ServedDNS) -> Void) -> ServedFault { with { change(&$0.dns) } }
}
