public import Bolt12
public import LNURL
public import LightningCoding
public import LightningCrypto
public import Platform

/// What is remembered: accounts, invoices, settlements, used challenges. Several processes may use one ledger at once.
///
/// Every call that writes is durable on return: what it wrote survives the loss of the process and of power.
public protocol Ledger: Sendable {
    /// Who is told of what this process writes down: once for each fact, after it is durable, by whatever way it came about.
    var observers: Observers<LedgerFact> { get }

    /// The account of that name, or nil.
    func account(named name: AddressName) async throws(LedgerFault) -> Account?

    /// All accounts, by name.
    func accounts() async throws(LedgerFault) -> [Account]

    /// Adds an account or changes its settings. Its version goes up when, and only when, the metadata text or what payers are
    /// asked about themselves (LUD-18) differs from the current one's.
    func putAccount(
        named name: AddressName,
        settings: AccountSettings,
        metadata: String,
        at now: UnixTime
    ) async throws(LedgerFault) -> Account

    /// Takes an account off; false when there was none. Its invoices and the texts of its versions stay.
    func removeAccount(named name: AddressName) async throws(LedgerFault) -> Bool

    /// One version of an account that exists, or nil.
    func version(_ number: UInt64, of name: AddressName) async throws(LedgerFault) -> AccountVersion?

    /// The metadata text that stood at a moment: the last one that was written by then, or else the first; nil when there is
    /// no such account.
    func metadata(of name: AddressName, standingAt moment: UnixTime) async throws(LedgerFault) -> StandingMetadata?

    /// Writes an invoice down before its text may leave, and in the same breath uses up what it answers.
    ///
    /// - Throws: `duplicateInvoice`, `challengeUsed`, `unknownOffer`, `offerDisabled`, `offerExhausted` or
    ///   `requestAnswered`; then nothing is written.
    func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault)

    /// Why `record(_:using:)` would refuse an invoice for an offer now: asked before a node is, so that it makes none in vain. What
    /// counts is what `record` then finds.
    func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault?

    /// Whether a challenge has been used.
    func isUsed(_ challenge: UsedChallenge) async throws(LedgerFault) -> Bool

    /// How many invoices of an account can still be paid, counted up to a limit.
    func openInvoices(
        of account: AddressName, at now: UnixTime, countingTo limit: UInt64
    ) async throws(LedgerFault) -> OpenInvoices

    /// The invoice with that hash, or nil.
    func invoice(_ paymentHash: PaymentHash) async throws(LedgerFault) -> IssuedInvoice?

    /// A page of invoices, newest first.
    func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> InvoicePage

    /// Writes a settlement down together with the backend's cursor. A settlement of an invoice that is not ours, or that is
    /// settled already, moves the cursor only; but the payment of an offer that this node has made for an account adds the
    /// invoice, settled: also when the offer has been switched off or the account removed, since the money is there.
    ///
    /// - Returns: the invoice, when this call has settled it.
    func record(
        _ settlement: Settlement,
        from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice?

    /// Writes down the settlement of an invoice that the node was asked about by its hash. Its place in the node's order is not
    /// known, so that the backend's cursor stays where it is.
    ///
    /// - Returns: the invoice, when this call has settled it.
    func record(
        _ settlement: RecordedSettlement,
        of paymentHash: PaymentHash,
        from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice?

    /// Moves the cursor of a backend behind settlements that change nothing here.
    func pass(to cursor: SettlementCursor, of backend: BackendName) async throws(LedgerFault)

    /// Where the settlements of a backend were last written down.
    func cursor(of backend: BackendName) async throws(LedgerFault) -> SettlementCursor?

    /// Forgets where the settlements of a backend were last written down: its count began anew.
    func forgetCursor(of backend: BackendName) async throws(LedgerFault)

    /// Writes down that the settlements of a backend are followed, as `FollowedSpan.continued(at:)` has it.
    func noteFollowing(_ backend: BackendName, at now: UnixTime) async throws(LedgerFault)

    /// For how long the settlements of a backend have been followed without a break; nil when they never were.
    func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan?

    /// Makes sure that the backend is the node that it was before: with another one, neither its cursor nor its invoices would
    /// mean anything. The first node that is named stays.
    ///
    /// - Throws: `anotherNode` when it is not.
    func bind(_ backend: BackendName, to node: PublicKey) async throws(LedgerFault)

    /// Forgets which node a backend was, where its settlements stood and for how long they were followed; false when nothing was known. Its invoices stay.
    func unbind(_ backend: BackendName) async throws(LedgerFault) -> Bool

    /// Forgets challenges and requests whose time is over; how many.
    func prune(before now: UnixTime) async throws(LedgerFault) -> Int

    /// Invoices of a backend that were never paid and whose time was over before a moment, up to a number of them, in an order
    /// of the ledger's own.
    ///
    /// - Parameter mark: behind which to begin; nil for the beginning.
    func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice]

    /// Forgets those of these invoices that were never paid and whose time was over before a moment, with the requests that
    /// they answered; how many. Others stay, whatever was asked.
    func forgetExpired(_ paymentHashes: [PaymentHash], before moment: UnixTime) async throws(LedgerFault) -> Int

    /// Proves that the ledger takes writes now: writes something that is durable on return, and changes nothing.
    func probe() async throws(LedgerFault)

    /// Changes with every change of an account by any process: for caches.
    func accountsRevision() async throws(LedgerFault) -> UInt64

    /// Writes an offer down. An offer that is there already stays as it is; but who made it is filled in where it was not known.
    ///
    /// - Returns: the offer as it stands now.
    func putOffer(_ offer: IssuedOffer) async throws(LedgerFault) -> IssuedOffer

    /// The offer of that id, or nil.
    func offer(_ id: OfferID) async throws(LedgerFault) -> IssuedOffer?

    /// The offers of an account, or of all, newest first.
    func offers(of account: AddressName?) async throws(LedgerFault) -> [IssuedOffer]

    /// Switches an offer off; false when there is none. Invoices that were given out can still be paid.
    func disableOffer(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool

    /// Writes down that the node which made an offer has switched it off, too; false when there is no such offer.
    func noteDisabledAtNode(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool

    /// The invoice that a request was answered with, as long as it can be paid; nil when there is none, or when it has been
    /// paid or has expired.
    func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice?

    /// Writes down how a notification was handled.
    func record(_ event: EventRecord) async throws(LedgerFault)

    /// A page of handled notifications, newest first.
    func events(_ query: EventQuery) async throws(LedgerFault) -> EventPage

    /// Forgets handled notifications that came before a moment, and all but the newest ones; how many.
    func pruneEvents(before moment: UnixTime, keeping newest: UInt64) async throws(LedgerFault) -> Int
}
