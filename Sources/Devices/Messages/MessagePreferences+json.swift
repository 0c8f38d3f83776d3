import Contracts
public import LightningCoding

extension MessagePreferences {
    /// Reads preferences. Members that are left out are as when nothing was chosen; a choice for security other than an
    /// alert is malformed.
    public init(_ members: JSONMembers<DeviceMemberFault>) throws(DeviceMemberFault) {
        self.init()
        if members.has("push") { isPushed = try members.flag("push") }
        if members.has("types") {
            let chosen = try members.member("types")
            guard chosen.object.members.count <= Self.mostTypes else { throw members.fault("types") }
            for key in chosen.object.members.map(\.key) {
                guard let type = MessageType(key) else { throw members.fault("types") }
                let way = try chosen.parsed(key) { Way(exactly: $0) }
                guard type != .security || way == .alert else { throw chosen.fault(key) }
                choose(way, for: type)
            }
        }
    }

    /// As it is read.
    public var json: JSONObject {
        var chosen = JSONObject()
        for (type, way) in types.sorted(by: { $0.key.text < $1.key.text }) {
            chosen.append(type.text, .string(way.rawValue))
        }
        return ["push": .bool(isPushed), "types": .object(chosen)]
    }
}
