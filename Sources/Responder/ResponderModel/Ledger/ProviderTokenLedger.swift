package import LightningCoding

/// A token with which an app's owner proves to a push provider who is sending. Whoever has it can send.
package struct ProviderToken: Hashable, Sendable {
    package let text: String
    package let issuedAt: UnixTime
    /// From when on another one is to be used.
    package let renewAt: UnixTime

    package init(text: String, issuedAt: UnixTime, renewAt: UnixTime) {
        self.text = text
        self.issuedAt = issuedAt
        self.renewAt = renewAt
    }
}

/// The tokens for push providers, which all instances use: a provider refuses keys with too many new ones.
package protocol ProviderTokenLedger: Sendable {
    /// The token of a key; nil before the first.
    func providerToken(of key: String) async throws(LedgerFault) -> ProviderToken?

    /// Stores a key's next token, unless another one than `former` is stored.
    ///
    /// - Returns: the token that is stored then.
    func keep(
        _ token: ProviderToken, of key: String, replacing former: ProviderToken?
    ) async throws(LedgerFault) -> ProviderToken
}
