public import LightningCrypto

/// What an examination of a ledger has found.
public struct LedgerReport: Hashable, Sendable {
    /// How many accounts there are, without those that were removed.
    public internal(set) var accounts = 0
    /// How many invoices were looked at.
    public internal(set) var invoices = 0
    /// How many of them are settled.
    public internal(set) var settled = 0
    /// How many handled notifications the event log remembers.
    public internal(set) var events = 0
    /// What is wrong.
    public internal(set) var findings: [Finding] = []

    /// An examination looks at no further invoices and events when it has found so much.
    public static let findingsLimit = 1000

    /// Something that is wrong.
    public enum Finding: Hashable, Sendable {
        /// SQLite finds the file damaged: its own words.
        case file(String)
        /// The settings or the metadata of an account cannot be read.
        case account(String)
        /// The versions of an account's metadata do not count from 1 to its current one.
        case versions(account: String)
        /// A row of the invoices cannot be read: its position, and why.
        case invoiceRow(position: Int64, String)
        /// An invoice's text is no correct BOLT11 invoice.
        case invoiceText(PaymentHash)
        /// An invoice's text has another payment hash than its row.
        case invoiceHash(PaymentHash)
        /// An invoice's text has another amount than its row.
        case invoiceAmount(PaymentHash)
        /// An invoice's text is not signed as BOLT 11 wants it.
        case invoiceSignature(PaymentHash)
        /// An invoice's text is signed by another key than its node's.
        case invoicePayee(PaymentHash)
        /// An invoice's text expires at another time than its row.
        case invoiceExpiry(PaymentHash)
        /// An invoice that was asked for over LNURL does not carry the hash of the metadata that its payer was shown (LUD-06),
        /// with or without the payer data (LUD-18).
        case invoiceDescription(PaymentHash)
        /// An invoice commits to a version of the metadata that is not there.
        case metadataVersion(PaymentHash)
        /// An invoice was asked for by a request for an offer that is not there, or is another account's.
        case offer(PaymentHash)
        /// A BOLT12 invoice cannot be read, or has another payment hash or amount than its row.
        case offeredInvoice(PaymentHash)
        /// The preimage of a settled invoice does not hash to its payment hash.
        case preimage(PaymentHash)
        /// A row of the event log cannot be read: its position, and why.
        case eventRow(position: Int64, String)
    }

    /// Whether nothing is wrong.
    public var isSound: Bool { findings.isEmpty }
}
