package import Devices
import HTTPTypes
import Hummingbird
import LightningCoding
package import ResponderCore
import ResponderModel

extension DeviceSender: ServiceFeature {
    package func addRoutes(to router: PublicRouter) {
        DeviceRoutes(self, router).add(to: router.router)
    }

    package var upkeep: [UpkeepTask] {
        [
            .removingMessages(ledger),
            UpkeepTask(every: .seconds(10), needsSteadyClock: false, warning: "devices not woken to catch up") { _, _ in
                try await wakeForCatchUp()
            },
        ]
    }
}

/// Stands for devices where no provider of push messages is configured: what they were to be told is dropped, and events that
/// were accepted while there was one are parked.
package struct DevicesLeftOut: ServiceFeature {
    package init() {}

    package var outboxHandlers: [any OutboxHandler] { DeviceSender.unprovidedHandlers }
}

/// The routes of registered devices: their registration, the notification center, what their owners want to be told, and
/// catching up.
///
/// A wallet registers a device by a signed statement; from then on the device shows its secret.
struct DeviceRoutes: Sendable {
    let access: DeviceAccess
    private let sender: DeviceSender

    init(_ sender: DeviceSender, _ router: PublicRouter) {
        self.sender = sender
        access = DeviceAccess(center: sender.center, admission: router.admission, metrics: router.metrics)
    }

    func add(to router: Router<ServiceContext>) {
        addRegistration(to: router)
        addNotifications(to: router)
        addCatchUp(to: router)
        addWakes(to: router)
        access.add(.get, "/v1/preferences", to: router) { _, device, _ throws(MessageCenterRefusal) in
            .device(try await access.center.preferences(of: device.profile.owner).json)
        }
        access.add(.put, "/v1/preferences", to: router) { request, device, _ throws(MessageCenterRefusal) in
            let preferences = try MessageCenter.request(in: await DeviceAccess.body(of: request)) {
                members throws(DeviceMemberFault) in try MessagePreferences(members)
            }
            try await access.center.keep(preferences, of: device.profile.owner)
            return .device(preferences.json)
        }
    }

    private func addRegistration(to router: Router<ServiceContext>) {
        let center = access.center
        access.addOpen(.get, "/v1/info", for: .registrationRead, to: router) { _, _ throws(MessageCenterRefusal) in
            .device(sender.info)
        }
        let path = "/v1/devices/{install_id}"
        access.addOpen(.put, path, for: nil, to: router) { request, context throws(MessageCenterRefusal) in
            let (install, body) = (try Self.install(context), try await DeviceAccess.body(of: request))
            let (statement, effect) = try await access.known(request, context) {
                () async throws(MessageCenterRefusal) -> (DeviceStatement, MessageCenter.Effect) in
                let statement = try center.statement(in: body, of: install)
                return (statement, try await center.effect(of: statement))
            }
            if let seconds = access.admission.wait(for: statement.profile.owner, effect, request, context) {
                throw .tooOften(retryAfter: seconds)
            }
            return .device(try center.registration(of: await center.register(statement, effect)))
        }
        access.add(.delete, path, to: router) { _, device, context throws(MessageCenterRefusal) in
            try await center.remove(Self.install(context), of: device.profile.owner)
            return .deviceDone
        }
    }

    private func addNotifications(to router: Router<ServiceContext>) {
        let center = access.center
        let path = "/v1/notifications"
        access.add(.get, path, to: router) { request, device, _ throws(MessageCenterRefusal) in
            let items = try Self.items(request)
            let query = try rethrowing(
                MessageQuery(of: device.profile.owner, items: items), as: MessageCenterRefusal.request)
            return .tagged(try await center.messages(query), for: request)
        }
        access.add(.get, path + "/unread", to: router) { request, device, _ throws(MessageCenterRefusal) in
            var answer = try await center.count(of: device.profile.owner).json
            answer.append("live", .bool(device.address != nil))
            return .tagged(answer, for: request)
        }
        access.add(.patch, path, to: router) { request, device, _ throws(MessageCenterRefusal) in
            let (selection, read) = try MessageCenter.request(in: await DeviceAccess.body(of: request)) {
                members throws(DeviceMemberFault) in try members.marking()
            }
            try await center.mark(selection, read: read, of: device.profile.owner)
            let count = try await center.count(of: device.profile.owner)
            return .device(["unread": .unsigned(count.unread)])
        }
        access.add(.delete, path + "/{id}", to: router) { _, device, context throws(MessageCenterRefusal) in
            // There is no message of an id that is none.
            if let id = context.parameters.get("id").flatMap({ MessageID($0) }) {
                try await center.removeMessage(id, of: device.profile.owner)
            }
            return .deviceDone
        }
    }

    private func addCatchUp(to router: Router<ServiceContext>) {
        let center = access.center
        access.add(.get, "/v1/pending", to: router) { request, device, _ throws(MessageCenterRefusal) in
            var after: UInt64 = 0
            for (name, value) in try Self.items(request) where name.isExactly("after") {
                guard let place = UInt64(digits: value) else {
                    throw .request(DeviceMemberFault(member: name, .malformed))
                }
                after = place
            }
            return .device(try await center.fetch(after: after, by: device))
        }
        access.add(.post, "/v1/deliveries", to: router) { request, device, _ throws(MessageCenterRefusal) in
            .device(try await center.noteDelivered(DeviceAccess.body(of: request), by: device))
        }
    }

    private func addWakes(to router: Router<ServiceContext>) {
        access.addOpen(.post, "/v1/wakes", for: .notification, to: router) { request, _ throws(MessageCenterRefusal) in
            let token = try Self.items(request).first { $0.name.isExactly("token") }?.value ?? ""
            guard let id = try await sender.order(DeviceAccess.body(of: request), for: token) else {
                throw .gone
            }
            return .device(["id": .string(id.text)])
        }
        access.add(.post, "/v1/acks", to: router) { request, device, _ throws(MessageCenterRefusal) in
            try await sender.acknowledge(DeviceAccess.body(of: request), by: device)
            return .deviceDone
        }
    }

    private static func items(_ request: Request) throws(MessageCenterRefusal) -> [(name: String, value: String)] {
        guard let items = try? request.uri.items() else {
            throw .request(DeviceMemberFault(member: "the query", .malformed))
        }
        return items
    }

    private static func install(_ context: ServiceContext) throws(MessageCenterRefusal) -> InstallID {
        guard let install = context.parameters.get("install_id").flatMap({ InstallID($0) }) else {
            throw .request(DeviceMemberFault(member: "install_id", .malformed))
        }
        return install
    }
}
