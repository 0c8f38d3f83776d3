import HTTPTypes
import LightningCoding
import ResponderCore
import ResponderModel

extension Administration {
    /// Lists the events: `account`, `limit` and `after`.
    func addEvents(to router: AdminRouter) {
        router.add(.get, "/events") { request, _ throws(AdminFault) in
            let filters = try request.filters("account")
            let query = EventQuery(
                account: try await directory.account(in: filters), after: try filters.mark, limit: try filters.limit)
            return try await AdminFault.asking(await ledger.events(query)).json(as: "events") { .object($0.json) }
        }
    }
}
