package import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

extension Responder: PayResponder {
    /// The first response of LNURL-pay (LUD-06): the limits and metadata of an address, and where to request the
    /// invoice.
    ///
    /// The callback names the version of the account, so that the invoice commits to the text that this payer saw.
    package func payRequest(for recipient: Recipient) async throws(Refusal) -> PayRequest {
        let account = try await account(named: recipient.account)
        let limits = try await payee(account).limits
        do {
            return try PayRequest(
                callback: PayPaths.callback(
                    of: recipient.localPart.renamed(account.domain.shownName(of: account.name)),
                    version: account.version, at: account.domain.base(of: account.name)),
                minSendable: limits.minimum,
                maxSendable: limits.maximum,
                metadata: account.metadata.tagged(for: recipient),
                commentAllowed: account.settings.commentAllowed,
                payerData: try payerDataSpec(of: account)
            )
        } catch let fault as LNURLFault {
            throw .unavailable(.answer(fault))
        } catch {
            throw .unavailable(.randomness)
        }
    }

    private func payerDataSpec(of account: Account) throws(CryptoFault) -> PayerDataSpec? {
        var spec = account.settings.payerData
        guard !spec.requirements.isEmpty else { return nil }
        if spec[.auth] != nil {
            spec.k1 = try Challenge.mint(
                for: account.id.text,
                at: clock(),
                nonce: try random(Challenge.nonceCount),
                key: settings.challengeKey
            )
        }
        return spec
    }
}

extension String {
    /// The metadata text that is served and hashed for a recipient: the stored one, with the requested tag.
    func tagged(for recipient: Recipient) -> String {
        guard let tag = recipient.tag else { return self }
        return PayMetadata.adding(tag: tag, to: self)
    }
}
