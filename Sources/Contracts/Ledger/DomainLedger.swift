public import LNURL
public import LightningCoding

/// The domains of the service. Each account belongs to one of them.
public protocol DomainLedger: Sendable {
    /// All domains, by name.
    func domains() async throws(LedgerFault) -> [Domain]

    /// The domain of that name, or nil.
    func domain(_ name: DomainName) async throws(LedgerFault) -> Domain?

    /// Adds a domain, or replaces the URL and the settings of the one of that name. Whether it is the main one does not
    /// change.
    func putDomain(at publicURL: PublicURL, _ settings: DomainSettings) async throws(LedgerFault) -> Domain

    /// Gives the main domain that URL, and its name; its accounts and settings stay with it. Makes it when there is none.
    ///
    /// - Throws: `domainExists` when another domain has that name.
    func putMainDomain(at publicURL: HTTPURL) async throws(LedgerFault) -> Domain

    /// Removes a domain without accounts; false when there is none of that name. The invoices of its removed accounts stay.
    ///
    /// - Throws: `domainInUse` when it has accounts or is the main one.
    func removeDomain(_ name: DomainName) async throws(LedgerFault) -> Bool
}

extension DomainLedger {
    /// The main domain; nil before the service has first run or an account was added.
    public func mainDomain() async throws(LedgerFault) -> Domain? {
        try await domains().first(where: \.isMain)
    }
}
