import Hummingbird
import LNURL
import LightningCoding
import Logging
import ResponderCore
import ResponderModel

/// Lists and shows outbox work, and retries it.
struct OutboxRoutes: Sendable {
    let outbox: any Outbox
    let directory: AccountDirectory
    let clock: WallClock

    func add(to router: AdminRouter) {
        router.add(.get, "/outbox") { request, _ throws(AdminFault) in try await list(request) }
        router.add(.get, "/outbox/{id}") { _, context throws(AdminFault) in
            try await work(context.outboxID()).detailedJSON
        }
        router.add(.post, "/outbox/{id}/retry") { _, context throws(AdminFault) in
            try await retry(context.outboxID(), context.logger)
        }
    }

    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        let query = try await query(request)
        return try await AdminFault.asking(await outbox.outbox(query)).json(as: "outbox", \.json)
    }

    /// `account`, `kind`, `state`, `limit`, and `after`: the `next` of the previous page.
    private func query(_ request: Request) async throws(AdminFault) -> OutboxQuery {
        var query = OutboxQuery()
        for (name, value) in try request.filters() {
            switch ExactText(name) {
            case "account": query.account = try await directory.account(filter: value)
            case "kind": query.kind = OutboxKind(rawValue: value)
            case "state":
                guard value.isExactly("pending") || value.isExactly("parked") else {
                    throw .badRequest("state must be pending or parked")
                }
                query.isParked = value.isExactly("parked")
            case "limit": query.limit = try Int(filter: value)
            case "after": query.after = try PageMark(filter: value)
            default: throw .badRequest("unknown filter \(name)")
            }
        }
        return query
    }

    private func retry(_ id: OutboxID, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        guard try await AdminFault.asking(await outbox.retry(id, at: clock())) else { throw Self.unknown }
        logger.info("outbox entry retried", metadata: ["id": "\(id)"])
        return ["retried": .string(id.text)]
    }

    private func work(_ id: OutboxID) async throws(AdminFault) -> OutboxWork {
        guard let work = try await AdminFault.asking(await outbox.work(id)) else { throw Self.unknown }
        return work
    }

    private static let unknown = AdminFault.notFound("no outbox entry has that id")
}

extension ServiceContext {
    fileprivate func outboxID() throws(AdminFault) -> OutboxID {
        guard let id = OutboxID(try parameter("id")) else {
            throw .badRequest("an id has 1 to \(OutboxID.maximumCount) characters of a-z 0-9 - _")
        }
        return id
    }
}
