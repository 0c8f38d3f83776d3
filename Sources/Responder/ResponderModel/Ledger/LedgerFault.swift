package import LNURL
import LightningCoding
package import LightningCrypto
import Platform

/// Why a ledger operation failed. Not shown to payers.
package enum LedgerFault: Error, Hashable, Sendable {
    /// Another process held the ledger for longer than we wait, or a call took too long.
    case busy
    /// All connections with the ledger's server were in use for so long.
    case noConnection(within: Duration)
    case full
    case readOnly
    /// The file is damaged or not a ledger.
    case corrupt(String)
    case newerVersion(found: Int, supported: Int)
    /// The ledger has no tables yet, or older ones than this software needs; it is not the service that changes them.
    case olderSchema(found: Int, needed: Int)
    case duplicateInvoice
    case challengeUsed
    case unknownDomain(DomainName)
    case domainExists(DomainName)
    /// A host would be a domain's, and an account's own in a wildcard domain.
    case hostOfAccount
    case changedMeanwhile
    case mainDomainMoved(to: PublicURL)
    /// An app user has that name, or had it and may take it again.
    case nameRegistered(AccountID)
    /// The domain has accounts or registrations, or is the main one.
    case domainInUse(DomainName)
    case unknownOffer
    case offerDisabled
    /// The offer has reached its maximum number of payments, counting its open invoices and those that expired less
    /// than `OfferClaim.grace` ago.
    case offerExhausted
    case requestAnswered
    /// The backend was a different node before, with this key.
    case anotherNode(PublicKey)
    /// The lease under which something was to be written has been lost: another instance may have taken it over.
    case leaseLost
    case tooManyDevices
    case secretInUse
    case statementReplaced
    case otherKeys
    /// The tables are older than this software needs, and a service uses them.
    case usedByOlder
    /// Another ledger was being copied into this one, and not all of it has arrived.
    case unfinishedCopy
    /// A value cannot be stored, now or later; the text says which kind.
    case unstorable(String)
    /// The ledger did not say whether it has written something.
    case outcomeUnknown
    /// The settings of the connection with the ledger's server are unusable: a sentence.
    case settings(String)
    case closed
    case unreachable(String)
    /// Reading or writing failed for another reason.
    case storage(String)
}

/// A fault of whoever calls the ledger, for which the ledger's may be the reason.
package protocol LedgerFaultConvertible: Error {
    static func ledger(_ fault: LedgerFault) -> Self
}

extension LedgerFaultConvertible {
    package static func asking<Value>(
        _ answer: @autoclosure () async throws(LedgerFault) -> Value
    ) async throws(Self) -> Value {
        try await awaiting(await answer(), as: Self.ledger)
    }
}

extension LedgerFault: ReadableFault {
    package var reason: String {
        switch self {
        case .busy: "the ledger is locked by another process, or too slow"
        case .noConnection(let time):
            "no free connection to the ledger within \(Double(time.wholeMilliseconds) / 1000) s"
        case .full: "the disk is full"
        case .readOnly: "the ledger cannot be written"
        case .corrupt(let what): "the ledger is damaged: \(what)"
        case .newerVersion(let found, let supported):
            "the ledger was written by a newer version of this software (\(found); this one knows \(supported))"
        case .olderSchema(let found, let needed):
            "the ledger's tables are missing or older than this software (\(found) of \(needed) steps); run `lightning-responder ledger migrate`"
        case .duplicateInvoice: "the invoice is already in the ledger"
        case .challengeUsed: "the challenge was already used"
        case .unknownDomain(let name): "there is no domain \(name); add it with `domain add`"
        case .domainExists(let name): "\(name), or an alias of it, is already a name or alias of another domain"
        case .hostOfAccount: "a host would be that of a domain and the own host of an account of a wildcard domain"
        case .changedMeanwhile: "accounts or domains are being changed by others at the same time; try again"
        case .mainDomainMoved(let url):
            "another instance has set public-url to \(url) meanwhile; give this one the same, or none, or stop all instances before it is changed"
        case .domainInUse(let name): "\(name) has accounts or is the main domain, and is not removed"
        case .nameRegistered(let name): "the name \(name) is registered by an app user, or held for one"
        case .unknownOffer: "there is no offer with that id"
        case .offerDisabled: "the offer is disabled"
        case .offerExhausted: "the offer is used up"
        case .requestAnswered: "the request already has an invoice"
        case .anotherNode(let known):
            "a different node answers under that name; before, it was \(known). Give the new node a name of its own"
        case .leaseLost: "another instance has taken over"
        case .tooManyDevices: "the owner has \(Device.mostOfOwner) devices already"
        case .secretInUse: "another device has the same secret"
        case .statementReplaced: "ts must be later than in the newest registration of this installation"
        case .otherKeys:
            "the service has run on this ledger with other keys than those in this data folder; give every instance the same key files, or run `lightning-responder instances --forget-keys` if you have replaced them all"
        case .usedByOlder:
            "a service of an older version runs on this ledger; restart it with this version first, or use its own commands"
        case .unfinishedCopy:
            "a copy into this ledger was interrupted; finish it with the same `lightning-responder ledger copy` as before"
        case .unstorable(let what): "the ledger cannot store a value: \(what)"
        case .outcomeUnknown: "the ledger did not confirm a write, which may have happened or not"
        case .settings(let what): what
        case .closed: "the database has been closed"
        case .unreachable(let what): "the ledger cannot be reached: \(what)"
        case .storage(let what): "the ledger failed: \(what)"
        }
    }
}
