import Contracts
import Hummingbird
import LightningCoding
import LightningCrypto
import Logging

/// Lists, shows and removes registered devices.
struct DeviceAdminRoutes: Sendable {
    let ledger: any DeviceLedger

    func add(to router: AdminRouter) {
        router.add(.get, "/devices") { request, _ throws(AdminFault) in try await list(request) }
        router.add(.get, "/devices/{id}") { _, context throws(AdminFault) in try await device(context).json }
        router.add(.delete, "/devices/{id}") { _, context throws(AdminFault) in
            let found = try await device(context)
            guard try await AdminFault.asking(await ledger.removeDevice(found.id)) else { throw Self.unknown }
            context.logger.info("device removed", metadata: ["device": "\(found.id)"])
            return ["removed": found.json]
        }
    }

    /// `owner`, or `limit` and `after`: the `next` of the previous page.
    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        guard let items = try? request.uri.items() else { throw .badRequest("the query is malformed") }
        var (owner, limit, mark): (PublicKey?, Int, PageMark?) = (nil, 50, nil)
        for (name, value) in items {
            switch ExactText(name) {
            case "owner":
                owner = try rethrowing(
                    PublicKey(hexadecimal: value), as: AdminFault.badRequest("owner must be a public key in hex"))
            case "limit": limit = try Int(filter: value)
            case "after": mark = try PageMark(filter: value)
            default: throw .badRequest("unknown filter \(name)")
            }
        }
        if let owner {
            let devices = try await AdminFault.asking(await ledger.devices(of: owner))
            return ["devices": .array(devices.map(\.json)), "next": .null]
        }
        return try await AdminFault.asking(await ledger.devices(after: mark, limit: limit)).json(as: "devices", \.json)
    }

    private func device(_ context: ServiceContext) async throws(AdminFault) -> Device {
        guard let id = DeviceID(try context.parameter("id")) else {
            throw .badRequest("the id of a device has 32 hexadecimal digits")
        }
        guard let found = try await AdminFault.asking(await ledger.device(id)) else { throw Self.unknown }
        return found
    }

    private static let unknown = AdminFault.notFound("no device has that id")
}
