package import LightningCrypto

package struct LedgerReport: Hashable, Sendable {
    /// How many accounts there are, not counting removed ones.
    package var accounts = 0
    package var invoices = 0
    package var settled = 0
    package var events = 0
    package var registrations = 0
    package var findings: [Finding] = []

    /// Checking of invoices and events stops after this many findings.
    package static let findingsLimit = 1000

    package init() {}

    package enum Finding: Hashable, Sendable {
        /// The database reports damage, in its own words.
        case file(String)
        case account(String)
        /// The versions of an account's metadata do not count from 1 to its current one.
        case versions(account: String)
        /// A row of the invoices cannot be read: its position, and why.
        case invoiceRow(position: Int64, String)
        case invoiceText(PaymentHash)
        case invoiceHash(PaymentHash)
        case invoiceAmount(PaymentHash)
        case invoiceSignature(PaymentHash)
        case invoicePayee(PaymentHash)
        case invoiceExpiry(PaymentHash)
        /// An LNURL invoice does not contain the hash of the metadata shown to its payer (LUD-06), with or without the
        /// payer data (LUD-18).
        case invoiceDescription(PaymentHash)
        case metadataVersion(PaymentHash)
        /// An invoice was requested for an offer that is missing or another account's.
        case offer(PaymentHash)
        /// A BOLT12 invoice cannot be read, or has a different payment hash or amount than its row.
        case offeredInvoice(PaymentHash)
        case preimage(PaymentHash)
        /// A row of the event log cannot be read: its position, and why.
        case eventRow(position: Int64, String)
        /// A row of a table of registrations cannot be read: of which, its position, and why.
        case row(of: String, position: Int64, String)
        /// A name is an account's and registered at once.
        case sharedName(String)
        /// So many statements that were used have no time.
        case statements(Int)
        /// The text or the preimage of a device's paid invoice has another payment hash than its row.
        case paidInvoice(PaymentHash)
    }
}

package struct LedgerStatistics: Hashable, Sendable {
    package private(set) var commits: UInt64
    /// Writes in all groups; divided by `commits`, the mean group size.
    package private(set) var writes: UInt64
    /// Total time of all groups, from lock to disk, or from the call to the server's answer; and of SQLite's checkpoints.
    package private(set) var time: Duration
    package private(set) var longest: Duration

    package init(commits: UInt64 = 0, writes: UInt64 = 0, time: Duration = .zero, longest: Duration = .zero) {
        self.commits = commits
        self.writes = writes
        self.time = time
        self.longest = longest
    }

    package mutating func add(writes count: Int = 1, in elapsed: Duration) {
        commits &+= 1
        writes &+= UInt64(count)
        time += elapsed
        longest = max(longest, elapsed)
    }

    /// Adds a checkpoint, for which the next group has waited.
    package mutating func add(checkpointIn elapsed: Duration) {
        time += elapsed
        longest = max(longest, elapsed)
    }
}
