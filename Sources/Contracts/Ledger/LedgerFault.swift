public import LNURL
public import LightningCrypto

/// Why a ledger operation failed. Not shown to payers.
public enum LedgerFault: Error, Hashable, Sendable {
    /// Another process held the ledger for longer than we wait, or a call took too long.
    case busy
    /// All connections with the ledger's server were in use for so long.
    case noConnection(within: Duration)
    /// The disk is full.
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// The file is damaged or not a ledger.
    case corrupt(String)
    /// The ledger was written by a newer version of this software.
    case newerVersion(found: Int, supported: Int)
    /// The ledger has no tables yet, or older ones than this software needs; it is not the service that changes them.
    case olderSchema(found: Int, needed: Int)
    /// The payment hash or the label is already in the ledger.
    case duplicateInvoice
    /// The challenge has been used before.
    case challengeUsed
    /// There is no domain of that name.
    case unknownDomain(DomainName)
    /// Another domain has that name, or one of its aliases.
    case domainExists(DomainName)
    /// A host would be a domain's, and an account's own in a wildcard domain.
    case hostOfAccount
    /// Another process has changed accounts or domains since they were read.
    case changedMeanwhile
    /// The main domain has been given this URL meanwhile.
    case mainDomainMoved(to: PublicURL)
    /// An app user has that name, or had it and may take it again.
    case nameRegistered(AccountID)
    /// The domain has accounts or registrations, or is the main one.
    case domainInUse(DomainName)
    /// There is no offer with that id.
    case unknownOffer
    /// The offer is disabled.
    case offerDisabled
    /// The offer has reached its maximum number of payments, counting its open invoices and those that expired less
    /// than `OfferClaim.grace` ago.
    case offerExhausted
    /// The same request already has an invoice that can still be paid.
    case requestAnswered
    /// The backend was a different node before, with this key.
    case anotherNode(PublicKey)
    /// The lease under which something was to be written has been lost: another instance may have taken it over.
    case leaseLost
    /// The owner has as many devices as one may have.
    case tooManyDevices
    /// Another device has the same secret.
    case secretInUse
    /// The installation has signed something newer.
    case statementReplaced
    /// Instances with other keys have served this ledger.
    case otherKeys
    /// The tables are older than this software needs, and a service uses them.
    case usedByOlder
    /// Another ledger was being copied into this one, and not all of it has arrived.
    case unfinishedCopy
    /// A value cannot be stored, now or later; the text says which kind.
    case unstorable(String)
    /// The ledger did not say whether it has written something.
    case outcomeUnknown
    /// The ledger's server does not answer; the text says why.
    case unreachable(String)
    /// Reading or writing failed for another reason.
    case storage(String)
}
