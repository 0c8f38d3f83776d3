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
        let (account, node) = try await receiver(named: name)
        switch node.capabilities.offers {
        case .none: throw .backendWithoutBolt12(node.name)
        case .builtHere:
            guard let offers else { throw .backendWithoutBolt12(node.name) }
            let offer = try offers.issue(terms, on: node.info.network, random: random)
            return try await keep(offer, for: name, .issued, maximumPayments: terms.maximumPayments)
        case .ownOffers:
            let maker = IssuedOffer.Maker(backend: node.name, nodeID: node.info.nodeID)
            return try await keep(try await nodeOffer(terms, of: account, at: node), for: name, .node, madeBy: maker)
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
    /// - Throws: `wrongKey` when it is not, `offer` when the offer has expired or is for another chain,
    ///   `nodeAnswersOnlyItsOwn` when the account's node makes its own offers.
    package func checkImport(of offer: Offer, for name: AccountID) async throws(OfferRefusal) {
        let (_, node) = try await receiver(named: name)
        if case .ownOffers = node.capabilities.offers { throw .nodeAnswersOnlyItsOwn(node.name) }
        guard let offers, case .builtHere = node.capabilities.offers else {
            throw .backendWithoutBolt12(node.name)
        }
        try check(offer, on: node.info.network)
        guard let key = offers.signingKey(of: offer), key.publicKey == offer.issuerID else { throw .wrongKey }
    }

    private func check(_ offer: Offer, on network: Network) throws(OfferRefusal) {
        try rethrowing(offer.check(chains: [ChainHash(network)], now: clock()), as: OfferRefusal.offer)
    }

    private func receiver(
        named name: AccountID
    ) async throws(OfferRefusal) -> (account: Account, node: ReceivingNode) {
        do {
            let account = try await account(named: name)
            let node = try await awaiting(await nodes.node(named: account.settings.backend), as: Refusal.unavailable)
            return (account, node)
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

/// How offers of a node are paid, or why that is unknown.
package typealias OfferCapability = Result<BackendCapabilities.Offers, BackendFault>

extension ReceiveBackend {
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

extension Responder {
    /// The offer that the account's node makes and answers itself.
    ///
    /// The label is unique, and unaffected by changes of the public URL.
    private func nodeOffer(
        _ terms: OfferTerms, of account: Account, at node: ReceivingNode
    ) async throws(OfferRefusal) -> Offer {
        let name = node.name
        let foreign = terms.oursAlone
        guard foreign.isEmpty else { throw .notAtNode(name, foreign) }
        guard terms.amount?.msat != 0 else { throw .offer(.amountNotPositive) }
        let standard = account.settings.description
        let order = OfferOrder(
            label: account.label,
            description: terms.description ?? standard,
            amount: terms.amount,
            issuer: terms.issuer,
            quantityMax: terms.quantityMax,
            absoluteExpiry: terms.absoluteExpiry
        )
        let offer = try await awaiting(await node.backend.offer(order)) { OfferRefusal.node(name, $0) }
        guard offer.keeps(order, standardDescription: standard) else { throw .otherTerms(name) }
        try check(offer, on: node.info.network)
        return offer
    }
}

extension OfferTerms {
    /// Terms that a node that makes its own offers does not support.
    package enum BuiltOnly: CaseIterable, Hashable, Sendable {
        case maximumPayments
        case introductions
        /// Paths only, without an issuer id.
        case withoutIssuerID
    }

    package var oursAlone: [BuiltOnly] {
        var found: [BuiltOnly] = []
        if maximumPayments != nil { found.append(.maximumPayments) }
        if case .introductions(_, let withIssuerID) = way, !mayTakeOtherWay {
            found.append(.introductions)
            if !withIssuerID { found.append(.withoutIssuerID) }
        }
        return found
    }
}

extension Offer {
    /// Whether the offer matches the order. A node may add its label to the issuer and may omit the account's default
    /// description.
    fileprivate func keeps(_ order: OfferOrder, standardDescription: String) -> Bool {
        let said = fields
        let isDescribed =
            said.description?.isExactly(order.description) == true
            || (said.description == nil && order.description.isExactly(standardDescription))
        return isDescribed && said.currency == nil && said.amount == order.amount?.msat
            && said.quantityMax == order.quantityMax && said.absoluteExpiry == order.absoluteExpiry
            && (order.issuer.map { said.issuer?.begins(with: $0) ?? false } ?? true)
    }
}
