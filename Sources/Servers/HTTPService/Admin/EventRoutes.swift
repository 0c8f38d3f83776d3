import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import ResponderCore
import ResponderModel

struct EventRoutes: Sendable {
    let ledger: any EventLedger
    let directory: AccountDirectory

    func add(to router: AdminRouter) {
        router.add(.get, "/events") { request, _ throws(AdminFault) in try await list(request) }
    }

    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        let query = try await query(request)
        return try await AdminFault.asking(await ledger.events(query)).json(as: "events") { .object($0.json) }
    }

    /// `account`, `limit`, and `after`: the `next` of the previous page.
    private func query(_ request: Request) async throws(AdminFault) -> EventQuery {
        var query = EventQuery()
        for (name, value) in try request.filters() {
            switch ExactText(name) {
            case "account": query.account = try await directory.account(filter: value)
            case "limit": query.limit = try Int(filter: value)
            case "after": query.after = try PageMark(filter: value)
            default: throw .badRequest("unknown filter \(name)")
            }
        }
        return query
    }
}
