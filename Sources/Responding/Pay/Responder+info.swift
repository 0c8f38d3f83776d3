public import LNURL
import LightningCoding
import LightningCrypto
import Receiving

extension Responder {
    /// The first answer of LNURL-pay (LUD-06): what may be sent to that address, and where to ask for the invoice.
    ///
    /// The callback names the version of the account, so that the invoice commits to the text which this payer saw.
    public func payRequest(for recipient: LocalPart) async throws(Refusal) -> PayRequest {
        let account = try await account(named: recipient.name)
        let limits = try await limits(of: account)
        do {
            return try PayRequest(
                callback: PayPaths.callback(of: recipient, version: account.version, at: settings.publicURL),
                minSendable: limits.minimum,
                maxSendable: limits.maximum,
                metadata: metadata(account.metadata, taggedFor: recipient),
                commentAllowed: account.settings.commentAllowed,
                payerData: try payerDataSpec(of: account)
            )
        } catch let fault as LNURLFault {
            throw .unavailable(.answer(fault))
        } catch {
            throw .unavailable(.randomness)
        }
    }

    func account(named name: AddressName) async throws(Refusal) -> Account {
        let account: Account?
        do {
            account = try await accounts.account(named: name)
        } catch {
            throw .unavailable(.ledger(error))
        }
        guard let account else { throw .unknownAccount }
        return account
    }

    func backend(of account: Account) throws(Refusal) -> any ReceiveBackend {
        guard let backend = backends[account.settings.backend] else {
            throw .unavailable(.noBackend(account.settings.backend))
        }
        return backend
    }

    func limits(of account: Account) async throws(Refusal) -> ReceiveLimits {
        let name = account.settings.backend
        let backend = try backend(of: account)
        let offered: ReceiveLimits
        do {
            _ = try await node(backend, named: name)
        } catch {
            throw .unavailable(error)
        }
        do {
            offered = try await limits.value(of: name) { () async throws(BackendFault) in
                let limits = try await backend.limits()
                guard try await backend.capabilities.precision == .wholeSatoshi else { return limits }
                guard let whole = limits.wholeSatoshis() else { throw .nothingReceivable }
                return whole
            }
        } catch {
            throw .unavailable(.backend(name, error))
        }
        guard let limits = offered.narrowed(to: account.settings.minSendable, account.settings.maxSendable) else {
            throw .unavailable(.noLimits(name))
        }
        return limits
    }

    /// The text that is served and hashed for a recipient: the stored one, with the tag that was asked for.
    func metadata(_ stored: String, taggedFor recipient: LocalPart) -> String {
        guard let tag = recipient.tag else { return stored }
        return PayMetadata.adding(tag: tag, to: stored)
    }

    private func payerDataSpec(of account: Account) throws(CryptoFault) -> PayerDataSpec? {
        var spec = account.settings.payerData
        guard !spec.requirements.isEmpty else { return nil }
        if spec[.auth] != nil {
            spec.k1 = try Challenge.mint(
                for: account.name,
                at: clock(),
                nonce: try random(Challenge.nonceCount),
                key: settings.challengeKey
            )
        }
        return spec
    }
}
