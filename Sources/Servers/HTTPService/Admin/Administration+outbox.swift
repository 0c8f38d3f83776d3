import Hummingbird
import LightningCoding
import Logging
import ResponderCore
import ResponderModel

extension Administration {
    /// Lists and shows outbox work, and retries it.
    func addOutbox(to router: AdminRouter) {
        router.add(.get, "/outbox") { request, _ throws(AdminFault) in try await list(request) }
        router.add(.get, "/outbox/{id}") { _, context throws(AdminFault) in
            try await work(context.outboxID()).detailedJSON
        }
        router.add(.post, "/outbox/{id}/retry") { _, context throws(AdminFault) in
            try await retry(context.outboxID(), context.logger)
        }
    }

    /// `account`, `kind`, `state`, `limit` and `after`.
    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        let filters = try request.filters("account", "kind", "state")
        var query = OutboxQuery(kind: filters["kind"].map { OutboxKind(rawValue: $0) }, limit: try filters.limit)
        query.after = try filters.mark
        query.account = try await directory.account(in: filters)
        if let state = filters["state"] {
            guard state.isExactly("pending") || state.isExactly("parked") else {
                throw .badRequest("state must be pending or parked")
            }
            query.isParked = state.isExactly("parked")
        }
        return try await AdminFault.asking(await ledger.outbox(query)).json(as: "outbox", \.json)
    }

    private func retry(_ id: OutboxID, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        guard try await AdminFault.asking(await ledger.retry(id, at: clock())) else { throw Self.unknownWork }
        logger.info("outbox entry retried", metadata: ["id": "\(id)"])
        return ["retried": .string(id.text)]
    }

    private func work(_ id: OutboxID) async throws(AdminFault) -> OutboxWork {
        guard let work = try await AdminFault.asking(await ledger.work(id)) else { throw Self.unknownWork }
        return work
    }

    private static let unknownWork = AdminFault.notFound("no outbox entry has that id")
}

extension ServiceContext {
    fileprivate func outboxID() throws(AdminFault) -> OutboxID {
        guard let id = OutboxID(try parameter("id")) else {
            throw .badRequest("an id has 1 to \(OutboxID.maximumCount) characters of a-z 0-9 - _")
        }
        return id
    }
}
