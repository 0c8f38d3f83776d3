package import ResponderModel

/// The tokens of a ledger, as long as the test runs.
package actor TokensInMemory: ProviderTokenLedger {
    private var tokens: [String: ProviderToken] = [:]
    private var fault: LedgerFault?
    /// How many were stored.
    package private(set) var writes = 0

    /// None.
    package init() {}

    /// From now on every call fails; nil for none.
    package func fail(_ fault: LedgerFault?) { self.fault = fault }

    /// The token of a key.
    package func providerToken(of key: String) throws(LedgerFault) -> ProviderToken? {
        if let fault { throw fault }
        return tokens[key]
    }

    /// Stores it unless another one than `former` is stored.
    package func keep(
        _ token: ProviderToken, of key: String, replacing former: ProviderToken?
    ) throws(LedgerFault) -> ProviderToken {
        if let fault { throw fault }
        if tokens[key] == former {
            tokens[key] = token
            writes += 1
        }
        return tokens[key] ?? token
    }
}
