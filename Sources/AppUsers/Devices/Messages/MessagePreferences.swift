package import LightningCoding
package import ResponderModel

/// What an owner wants to be told: `{"push":true,"types":{"payment_received":"alert"}}`.
package struct MessagePreferences: Hashable, Sendable {
    /// Whether devices are told at all; the notification center has every message in any case.
    package var isPushed: Bool
    /// How devices are told of a type; alerts unless something else is chosen.
    package private(set) var types: [MessageType: Way]

    package enum Way: String, CaseIterable, Hashable, Sendable {
        /// The person sees and hears it.
        case alert
        /// The app learns of it.
        case silent
        case off
    }

    package init() {
        isPushed = true
        types = [:]
    }

    package static let mostTypes = 50

    /// Chooses how devices are told of a type. Of security they are always alerted.
    package mutating func choose(_ way: Way, for type: MessageType) {
        types[type] = type == .security ? nil : way
    }

    package func way(for type: MessageType) -> Way {
        if type == .security { return .alert }
        return isPushed ? types[type] ?? .alert : .off
    }

    /// How devices are told of a message. One of low priority has no push message of its own.
    package func delivery(of message: DeviceMessage.Content) -> MessageDelivery {
        switch way(for: message.type) {
        case .off: .none
        case _ where message.priority == .low: .fetched
        case .alert: .alert
        case .silent: .silent
        }
    }
}

extension MessagePreferences {
    /// Takes what somebody has chosen, by name. A choice for security other than an alert is malformed.
    package init(isPushed: Bool, ways: [(type: MessageType, way: String)]) throws(DeviceMemberFault) {
        self.init()
        self.isPushed = isPushed
        guard ways.count <= Self.mostTypes else { throw DeviceMemberFault(member: "types", .malformed) }
        for (type, name) in ways {
            guard let way = Way(exactly: name), type != .security || way == .alert else {
                throw DeviceMemberFault(member: "types.\(type)", .malformed)
            }
            choose(way, for: type)
        }
    }

    /// Reads preferences. Members that are left out are as when nothing was chosen.
    package init(_ members: JSONMembers<DeviceMemberFault>) throws(DeviceMemberFault) {
        let isPushed = members.has("push") ? try members.flag("push") : true
        var ways: [(type: MessageType, way: String)] = []
        if members.has("types") {
            let chosen = try members.member("types")
            for key in chosen.object.members.map(\.key) {
                guard let type = MessageType(key) else { throw members.fault("types") }
                ways.append((type, try chosen.text(key)))
            }
        }
        try self.init(isPushed: isPushed, ways: ways)
    }

    package var json: JSONObject {
        var chosen = JSONObject()
        for (type, way) in types.sorted(by: { $0.key.text < $1.key.text }) {
            chosen.append(type.text, .string(way.rawValue))
        }
        return ["push": .bool(isPushed), "types": .object(chosen)]
    }
}
