import Devices
import LightningCoding
import ResponderModel

/// What a person has entered about what to be told, right or wrong.
struct PreferencesForm {
    var isPushed = false
    var ways: [(type: MessageType, way: String)] = []

    /// The stored preferences. Every type that was chosen for can be changed, and payments in any case.
    init(_ preferences: MessagePreferences) {
        isPushed = preferences.isPushed
        let types = Set(preferences.types.keys).union([.paymentReceived])
        ways = types.sorted { $0.text < $1.text }.map { type in
            (type, preferences.types[type].map(\.rawValue) ?? MessagePreferences.Way.alert.rawValue)
        }
    }

    /// What a browser sends of the form. Of more types than may be chosen for, one too many is kept, so that the form is
    /// refused.
    init(_ items: [(name: String, value: String)]) {
        for (name, value) in items {
            if name.isExactly("push") { isPushed = true }
            guard name.begins(with: Self.wayPrefix),
                let type = MessageType(String(name.dropFirst(Self.wayPrefix.count))),
                ways.count <= MessagePreferences.mostTypes, !ways.contains(where: { $0.type == type })
            else { continue }
            ways.append((type, value))
        }
    }

    static let wayPrefix = "way."

    func preferences() throws(DeviceMemberFault) -> MessagePreferences {
        try MessagePreferences(isPushed: isPushed, ways: ways)
    }
}
