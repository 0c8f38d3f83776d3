public import LightningCrypto

/// Why the ledger did not do what was asked. None of it is shown to a payer.
public enum LedgerFault: Error, Hashable, Sendable {
    /// Another process holds the ledger for longer than we wait.
    case busy
    /// The disk is full.
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// The file is damaged, or is no ledger.
    case corrupt(String)
    /// A newer version of this software has written the ledger.
    case newerVersion(found: Int, supported: Int)
    /// The payment hash or the label is in the ledger already.
    case duplicateInvoice
    /// The challenge has been used before.
    case challengeUsed
    /// No offer of that id is known.
    case unknownOffer
    /// The offer has been switched off.
    case offerDisabled
    /// The offer has been paid as often as it may be, or is about to be: its open invoices count, and those whose time
    /// is over for less than `OfferClaim.grace`.
    case offerExhausted
    /// The same request or question has an invoice that can still be paid.
    case requestAnswered
    /// The backend was another node before, whose key this is.
    case anotherNode(PublicKey)
    /// Reading or writing failed for another reason.
    case storage(String)
}
