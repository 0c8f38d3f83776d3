import Bolt12
import Hummingbird
import LightningCoding
import Logging
import ResponderCore
import ResponderModel

extension Administration {
    /// Lists, shows, creates and disables offers.
    func addOffers(to router: AdminRouter) {
        router.add(.get, "/offers") { request, _ throws(AdminFault) in try await list(request) }
        router.add(.post, "/offers") { request, context throws(AdminFault) in
            try await create(request, context.logger)
        }
        router.add(.get, "/offers/{id}") { _, context throws(AdminFault) in
            let id = try context.offerID()
            let offer = try await AdminFault.asking(await ledger.offer(id))
            guard let offer else { throw Self.unknownOffer }
            return try await json([offer])[0]
        }
        router.add(.post, "/offers/{id}/disable") { _, context throws(AdminFault) in
            try await disable(context.offerID(), context.logger)
        }
    }

    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        let account = try await directory.account(in: request.filters(named: ["account"]))
        return ["offers": .array(try await json(AdminFault.asking(await ledger.offers(of: account))))]
    }

    private func create(_ request: Request, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        let document = try await request.document(limit: OfferParameters.bodyLimit)
        let main = try await AdminFault.asking(await directory.domains()).main
        let parameters = try OfferParameters(document, main: main?.name, peers: peers?.wanted ?? [], now: clock())
        let issued = try await awaiting(await responder.issueOffer(parameters.terms, for: parameters.account)) {
            (fault: OfferRefusal) in AdminFault(fault)
        }
        logger.info("offer made", metadata: ["account": "\(issued.account)", "offer": "\(issued.offer.id)"])
        return try await json([issued])[0]
    }

    private func disable(_ id: OfferID, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        let found = try await AdminFault.asking(await responder.disableOffer(id))
        guard let found else { throw Self.unknownOffer }
        if let reason = found.reason {
            throw found.isWorthRepeating ? .unavailable(reason) : .conflict(reason)
        }
        logger.info("offer disabled", metadata: ["account": "\(found.offer.account)", "offer": "\(id)"])
        return try await json([found.offer])[0]
    }

    private static let unknownOffer = AdminFault.notFound("there is no offer with that id")

    private func json(_ offers: [IssuedOffer]) async throws(AdminFault) -> [JSONValue] {
        let reached = try await AdminFault.asking(
            await responder.reach(of: offers, secrets: secrets, peers: peers?.introductions() ?? nil))
        return zip(offers, reached).map { $0.json(at: clock(), $1) }
    }
}

extension ServiceContext {
    fileprivate func offerID() throws(AdminFault) -> OfferID {
        let text = try parameter("id")
        guard let bytes = try? Hexadecimal.decode(text), let id = OfferID(bytes) else {
            throw .badRequest("an offer's id has 64 hexadecimal digits")
        }
        return id
    }
}
