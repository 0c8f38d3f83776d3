import Bolt12
import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import ResponderCore
import ResponderModel

/// Lists, shows, creates and disables offers.
struct OfferRoutes: Sendable {
    let responder: Responder
    let secrets: WebhookSecrets
    let peers: PeerReporter?
    let clock: WallClock

    func add(to router: AdminRouter) {
        router.add(.get, "/offers") { request, _ throws(AdminFault) in try await list(request) }
        router.add(.post, "/offers") { request, context throws(AdminFault) in
            try await create(request, context.logger)
        }
        router.add(.get, "/offers/{id}") { _, context throws(AdminFault) in
            try await json(offer(context.offerID()))
        }
        router.add(.post, "/offers/{id}/disable") { _, context throws(AdminFault) in
            try await disable(context.offerID(), context.logger)
        }
    }

    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        var account: AccountID?
        for (name, value) in try request.filters() {
            guard name.isExactly("account") else { throw .badRequest("unknown filter \(name)") }
            account = try await responder.accounts.account(filter: value)
        }
        let offers = try await AdminFault.asking(await responder.ledger.offers(of: account))
        var list: [JSONValue] = []
        // A node that does not answer is asked only once.
        var known: [BackendName: OfferCapability] = [:]
        for offer in offers { list.append(try await json(offer, &known)) }
        return ["offers": .array(list)]
    }

    private func create(_ request: Request, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        let document = try await request.document(limit: OfferParameters.bodyLimit)
        let main = try await AdminFault.asking(await responder.accounts.domains()).main
        let parameters = try OfferParameters(document, main: main?.name, peers: peers?.wanted ?? [], now: clock())
        let issued = try await awaiting(await responder.issueOffer(parameters.terms, for: parameters.account)) {
            (fault: OfferRefusal) in AdminFault(fault)
        }
        logger.info("offer made", metadata: ["account": "\(issued.account)", "offer": "\(issued.offer.id)"])
        return try await json(issued)
    }

    private func disable(_ id: OfferID, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        let found = try await AdminFault.asking(await responder.disableOffer(id))
        guard let found else { throw Self.unknown }
        if let reason = found.reason {
            throw found.isWorthRepeating ? .unavailable(reason) : .conflict(reason)
        }
        logger.info("offer disabled", metadata: ["account": "\(found.offer.account)", "offer": "\(id)"])
        return try await json(found.offer)
    }

    private func offer(_ id: OfferID) async throws(AdminFault) -> IssuedOffer {
        let offer = try await AdminFault.asking(await responder.ledger.offer(id))
        guard let offer else { throw Self.unknown }
        return offer
    }

    private static let unknown = AdminFault.notFound("there is no offer with that id")

    private func json(_ offer: IssuedOffer) async throws(AdminFault) -> JSONValue {
        var known: [BackendName: OfferCapability] = [:]
        return try await json(offer, &known)
    }

    private func json(
        _ offer: IssuedOffer, _ known: inout [BackendName: OfferCapability]
    ) async throws(AdminFault) -> JSONValue {
        let now = clock()
        let account = try await AdminFault.asking(await responder.accounts.account(named: offer.account))
        let backend = offer.maker?.backend ?? account?.settings.backend
        let domain = try await AdminFault.asking(await responder.accounts.domains())[offer.account.domain]
        let webhook = domain.map { secrets.url(of: offer.account.name, in: $0) }
        if let backend, known[backend] == nil { known[backend] = await responder.offerCapability(of: backend) }
        return offer.json(
            at: now,
            OfferReach(
                of: offer, webhook: webhook, backend: backend,
                capability: backend.flatMap { known[$0] }, peers: peers?.introductions() ?? nil, at: now))
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
