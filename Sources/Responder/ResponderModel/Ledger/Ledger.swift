package import LightningCoding
package import LightningCrypto

/// The durable store of accounts, invoices, offers, settlements, events and outbox work. Several processes may use one
/// ledger at once. Code that needs only a part of it takes that part's protocol.
///
/// Every call that writes is durable on return: what it wrote survives a crash and a loss of power.
package protocol Ledger: DomainLedger, AccountLedger, InvoiceLedger, OfferLedger, SettlementLedger, EventLedger,
    LeaseLedger, RegistrationLedger, DeviceLedger, ProviderTokenLedger
{
    /// Where payers reach the service, as in the addresses of the metadata; nil before the service has first run.
    func publicURL() async throws(LedgerFault) -> HTTPURL?

    /// Stores where payers reach the service, also as the URL of the main domain.
    ///
    /// - Throws: as `putMainDomain(at:)`.
    func keep(publicURL: HTTPURL) async throws(LedgerFault)

    /// Checks the whole content while others read and write.
    ///
    /// - Parameter payees: the keys of the nodes; the payees of other nodes' invoices are not checked.
    /// - Throws: only when nothing can be checked; problems in the ledger are in the report.
    func check(payees: [BackendName: PublicKey]) async throws(LedgerFault) -> LedgerReport

    /// Copies one consistent state into a file while others read and write.
    ///
    /// - Parameter path: a file that does not exist; created with mode 0600, complete and durable on return.
    func snapshot(to path: String) async throws(LedgerFault)

    /// How much work there is, and how many payments have ever been recorded.
    func totals() async throws(LedgerFault) -> LedgerTotals

    /// What this process has written since it opened the ledger.
    var statistics: LedgerStatistics { get }

    /// Checks that the ledger accepts writes: writes something durable that changes nothing.
    func probe() async throws(LedgerFault)

    /// Counts that all instances share; nil when there is only one.
    var sharedRates: (any SharedRates)? { get }

    func close() async
}
