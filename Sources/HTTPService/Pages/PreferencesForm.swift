import Contracts
import Devices
import LightningCoding

/// What a person has entered about what to be told, right or wrong.
struct PreferencesForm {
    var isPushed = false
    var ways: [(type: MessageType, way: String)] = []
    var hasQuietHours = false
    var from = "22:00"
    var to = "07:00"
    var zone = "UTC"
    var except: Set<MessageType> = []

    /// The stored preferences. Every type that was chosen for can be changed, and payments in any case.
    init(_ preferences: MessagePreferences) {
        isPushed = preferences.isPushed
        let types = Set(preferences.types.keys).union([.paymentReceived])
        ways = types.sorted { $0.text < $1.text }.map { type in
            (type, preferences.types[type].map(\.rawValue) ?? MessagePreferences.Way.alert.rawValue)
        }
        guard let quiet = preferences.quiet else { return }
        hasQuietHours = true
        (from, to) = (quiet.hours.from.description, quiet.hours.to.description)
        zone = quiet.zone.text
        except = quiet.except
    }

    /// What a browser sends of the form.
    init(_ items: [(name: String, value: String)]) {
        for (name, value) in items {
            switch name {
            case "push": isPushed = true
            case "quiet": hasQuietHours = true
            case "from": from = value
            case "to": to = value
            case "tz": zone = value
            default:
                if name.begins(with: Self.wayPrefix),
                    let type = MessageType(String(name.dropFirst(Self.wayPrefix.count)))
                {
                    ways.append((type, value))
                } else if name.begins(with: Self.exceptPrefix),
                    let type = MessageType(String(name.dropFirst(Self.exceptPrefix.count)))
                {
                    except.insert(type)
                }
            }
        }
    }

    static let wayPrefix = "way."
    static let exceptPrefix = "except."

    /// As an app would send it.
    var json: JSONObject {
        var types = JSONObject()
        for (type, way) in ways where types[type.text] == nil { types.append(type.text, .string(way)) }
        var object: JSONObject = ["push": .bool(isPushed), "types": .object(types)]
        if hasQuietHours {
            object.append(
                "quiet",
                [
                    "from": .string(from), "to": .string(to), "tz": .string(zone),
                    "except": .array(except.map(\.text).sorted().map { .string($0) }),
                ])
        }
        return object
    }
}
