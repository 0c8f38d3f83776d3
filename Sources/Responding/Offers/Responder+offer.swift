public import Bolt12
public import LNURL
import LightningCoding
import LightningCrypto
public import Receiving

extension Responder {
    /// Makes an offer for an account and writes it down.
    ///
    /// - Throws: `backendWithoutBolt12` before anything is made, when the account's node could not be paid.
    public func issueOffer(
        _ terms: OfferTerms,
        for name: AddressName
    ) async throws(OfferRefusal) -> IssuedOffer {
        let (issuer, network) = try await offerSetting(of: name)
        let offer: Offer
        do {
            offer = try issuer.issue(terms, on: network, random: random)
        } catch {
            throw .terms(error)
        }
        return try await keep(
            IssuedOffer(
                offer: offer,
                account: name,
                origin: .issued,
                maximumPayments: terms.maximumPayments,
                createdAt: clock()
            )
        )
    }

    /// Takes over an offer that was made elsewhere; its key must be among the issuer's imported ones.
    ///
    /// - Throws: `wrongKey` when it is not, `terms` when the offer has expired or is for another chain.
    public func importOffer(_ offer: Offer, for name: AddressName) async throws(OfferRefusal) -> IssuedOffer {
        let (issuer, network) = try await offerSetting(of: name)
        do {
            try offer.check(chains: [ChainHash(network)], now: clock())
        } catch {
            throw .terms(.offer(error))
        }
        guard let key = issuer.signingKey(of: offer), key.publicKey == offer.issuerID else { throw .wrongKey }
        return try await keep(IssuedOffer(offer: offer, account: name, origin: .imported, createdAt: clock()))
    }

    private func offerSetting(of name: AddressName) async throws(OfferRefusal) -> (OfferIssuer, Network) {
        let account: Account
        let backend: any ReceiveBackend
        do {
            account = try await self.account(named: name)
            backend = try self.backend(of: account)
        } catch {
            throw .account(error)
        }
        let name = account.settings.backend
        let network: Network
        do {
            network = try await node(backend, named: name).network
        } catch {
            throw .account(.unavailable(error))
        }
        guard let offers, case .builtHere = backend.capabilities.offers else { throw .backendWithoutBolt12(name) }
        return (offers, network)
    }

    private func keep(_ offer: IssuedOffer) async throws(OfferRefusal) -> IssuedOffer {
        do {
            return try await ledger.putOffer(offer)
        } catch {
            throw .account(.unavailable(.ledger(error)))
        }
    }
}

/// Why an offer is not made or taken over.
public enum OfferRefusal: Error, Hashable, Sendable {
    /// The account is unknown, or cannot be looked up.
    case account(Refusal)
    /// The account's node cannot be paid over paths that are made here.
    case backendWithoutBolt12(BackendName)
    /// The terms break a rule.
    case terms(OfferIssueFault)
    /// The key is not that of the offer's issuer.
    case wrongKey
}
