package import LNURL
package import LightningCoding

package protocol DomainLedger: Sendable {
    /// All domains, by name.
    func domains() async throws(LedgerFault) -> [Domain]

    func domain(_ name: DomainName) async throws(LedgerFault) -> Domain?

    /// Adds a domain, or replaces the URL and the settings of the one of that name. Whether it is the main one does not
    /// change.
    ///
    /// - Parameter revision: the `accountsRevision` before the caller read what it changes; nil for any.
    /// - Throws: `changedMeanwhile` at another revision, `domainExists` when another domain has that name or one of the aliases,
    ///   as its name or alias; `hostOfAccount`.
    func putDomain(
        at publicURL: PublicURL, _ settings: DomainSettings, expecting revision: UInt64?
    ) async throws(LedgerFault) -> Domain

    /// Gives the main domain that URL, and its name; its accounts and settings stay with it, and its former name becomes an
    /// alias if it can be one and no other domain has it. Makes it when there is none.
    ///
    /// - Parameter former: the URL that it has, as the caller has read it; nil when there was no main domain.
    /// - Throws: `mainDomainMoved` when it has neither URL, `domainExists` when another domain has that name or alias,
    ///   `hostOfAccount`.
    func putMainDomain(
        at publicURL: HTTPURL, replacing former: PublicURL?
    ) async throws(LedgerFault) -> Domain

    /// Removes a domain without accounts; false when there is none of that name. The invoices of its removed accounts stay.
    ///
    /// - Throws: `domainInUse` when it has accounts or is the main one.
    func removeDomain(_ name: DomainName) async throws(LedgerFault) -> Bool
}

extension DomainLedger {
    /// Adds a domain, or replaces the URL and the settings of the one of that name, whatever they were.
    package func putDomain(at publicURL: PublicURL, _ settings: DomainSettings) async throws(LedgerFault) -> Domain {
        try await putDomain(at: publicURL, settings, expecting: nil)
    }

    /// Gives the main domain that URL, whatever it was.
    package func putMainDomain(at publicURL: HTTPURL) async throws(LedgerFault) -> Domain {
        try await putMainDomain(at: publicURL, replacing: mainDomain()?.publicURL)
    }

    /// The main domain; nil before the service has first run or an account was added.
    package func mainDomain() async throws(LedgerFault) -> Domain? {
        try await domains().first(where: \.isMain)
    }
}
