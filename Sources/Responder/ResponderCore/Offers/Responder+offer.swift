package import Bolt12
import LightningCoding
import LightningCrypto
package import ResponderModel

extension Responder {
    /// Creates an offer for an account and stores it: here, or at the account's node if that makes its own offers.
    ///
    /// - Throws: `backendWithoutBolt12` before anything is made, when the account's node could not be paid.
    package func issueOffer(
        _ terms: OfferTerms,
        for name: AccountID
    ) async throws(OfferRefusal) -> IssuedOffer {
        let setting = try await offerSetting(of: name)
        let node = setting.node.name
        switch setting.node.capabilities.offers {
        case .none: throw .backendWithoutBolt12(node)
        case .builtHere:
            guard let offers else { throw .backendWithoutBolt12(node) }
            let offer = try rethrowing(
                offers.issue(terms, on: setting.node.info.network, random: random), as: OfferRefusal.terms)
            return try await keep(offer, for: name, .issued, maximumPayments: terms.maximumPayments)
        case .ownOffers:
            let maker = IssuedOffer.Maker(backend: node, nodeID: setting.node.info.nodeID)
            return try await keep(try await nodeOffer(terms, setting), for: name, .node, madeBy: maker)
        }
    }

    /// Imports an offer that was made elsewhere; its key must be among the issuer's imported ones.
    ///
    /// - Throws: as `checkImport(of:for:)`, and `paysAnother` or `wasDisabled` when the offer already exists.
    package func importOffer(_ offer: Offer, for name: AccountID) async throws(OfferRefusal) -> IssuedOffer {
        try await checkImport(of: offer, for: name)
        return try await keep(offer, for: name, .imported)
    }

    /// Whether an offer that was made elsewhere can be imported, and its key is among the issuer's imported ones.
    /// Stores nothing.
    ///
    /// - Throws: `wrongKey` when it is not, `terms` when the offer has expired or is for another chain,
    ///   `nodeAnswersOnlyItsOwn` when the account's node makes its own offers.
    package func checkImport(of offer: Offer, for name: AccountID) async throws(OfferRefusal) {
        let setting = try await offerSetting(of: name)
        let node = setting.node.name
        if case .ownOffers = setting.node.capabilities.offers { throw .nodeAnswersOnlyItsOwn(node) }
        guard let offers, case .builtHere = setting.node.capabilities.offers else {
            throw .backendWithoutBolt12(node)
        }
        try check(offer, on: setting.node.info.network)
        guard let key = offers.signingKey(of: offer), key.publicKey == offer.issuerID else { throw .wrongKey }
    }

    func check(_ offer: Offer, on network: Network) throws(OfferRefusal) {
        try rethrowing(offer.check(chains: [ChainHash(network)], now: clock())) { (fault: OfferFault) in
            OfferRefusal.terms(.offer(fault))
        }
    }

    private func offerSetting(of name: AccountID) async throws(OfferRefusal) -> OfferSetting {
        do {
            let account = try await account(named: name)
            let node = try await awaiting(await nodes.node(named: account.settings.backend), as: Refusal.unavailable)
            return OfferSetting(account: account, node: node)
        } catch {
            throw .account(error)
        }
    }

    private func keep(
        _ offer: Offer, for name: AccountID, _ origin: IssuedOffer.Origin, madeBy maker: IssuedOffer.Maker? = nil,
        maximumPayments: UInt64? = nil
    ) async throws(OfferRefusal) -> IssuedOffer {
        let record = IssuedOffer(
            offer: offer, account: name, origin: origin, maker: maker, maximumPayments: maximumPayments,
            createdAt: clock())
        let written = try await OfferRefusal.asking(await ledger.putOffer(record))
        guard written.account == name else { throw .paysAnother(written.account) }
        guard written.disabledAt == nil else { throw .wasDisabled }
        return written
    }
}

struct OfferSetting {
    let account: Account
    let node: ReceivingNode
}

/// How offers of a node are paid, or why that is unknown.
package typealias OfferCapability = Result<BackendCapabilities.Offers, BackendFault>

extension ReceiveBackend {
    /// How offers of the node are paid, or why that is unknown.
    package var offerCapability: OfferCapability {
        get async {
            do throws(BackendFault) {
                return .success(try await capabilities.offers)
            } catch {
                return .failure(error)
            }
        }
    }
}
