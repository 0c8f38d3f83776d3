package import Devices
import Hummingbird
import LightningCoding
import LightningCrypto
import Logging
import ResponderCore
import ResponderModel

extension DeviceSender {
    /// Lists, shows and removes registered devices, and tells their owners something.
    package func addAdminRoutes(to router: AdminRouter) {
        router.add(.get, "/devices") { request, _ throws(AdminFault) in try await list(request) }
        router.add(.post, "/devices/announcements") { request, context throws(AdminFault) in
            try await announce(request, context.logger)
        }
        router.add(.get, "/devices/{id}") { _, context throws(AdminFault) in try await device(context).json }
        router.add(.delete, "/devices/{id}") { _, context throws(AdminFault) in
            let found = try await device(context)
            guard try await AdminFault.asking(await ledger.removeDevice(found.id)) else { throw Self.unknown }
            context.logger.info("device removed", metadata: ["device": "\(found.id)"])
            return ["removed": found.json]
        }
    }

    /// `{"text":"…"}`.
    private func announce(_ request: Request, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        let document = try await request.document(limit: Self.bodyLimit)
        guard let members = document.object?.members, members.count == 1, let text = document["text"]?.string else {
            throw .badRequest("the body must be {\"text\": …}")
        }
        do throws(MessageCenterRefusal) {
            let count = try await center.announce(text)
            logger.info("announced to the owners of devices", metadata: ["owners": "\(count)"])
            return ["owners": .unsigned(UInt64(count))]
        } catch .ledger(let fault) {
            throw AdminFault(fault)
        } catch {
            throw .badRequest("text must have 1 to \(DeviceMessage.Content.longest.body) bytes")
        }
    }

    /// `owner`, or `limit` and `after`.
    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        let filters = try request.filters("owner")
        let (limit, mark) = (try filters.limit, try filters.mark)
        if let text = filters["owner"] {
            let owner = try rethrowing(
                PublicKey(hexadecimal: text), as: AdminFault.badRequest("owner must be a public key in hex"))
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

    private static let bodyLimit = 16_384
    private static let unknown = AdminFault.notFound("no device has that id")
}
