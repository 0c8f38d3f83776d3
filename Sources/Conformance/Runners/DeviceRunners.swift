import Devices
import LightningCoding

extension VectorRunner {
    static let devices = [
        // Reads a compiled time zone.
        VectorRunner("devices", "time-zone") { input in
            let zone = try TimeZoneRules(input.bytes("zone"))
            return ["offset": .integer(Int(zone.offset(at: UnixTime(try input.unsigned("at")))))]
        },
        // Says when alerts are allowed again.
        VectorRunner("devices", "quiet-hours") { input in
            let hours = QuietHours(
                from: try input.parsed("from", TimeOfDay.init), to: try input.parsed("to", TimeOfDay.init))
            let zone = try TimeZoneRules(input.bytes("zone"))
            let end = hours.end(at: UnixTime(try input.unsigned("now")), in: zone)
            return ["until": end.map { .unsigned($0.seconds) } ?? .null]
        },
    ]
}

extension TimeZoneFault {
    var rule: String {
        switch self {
        case .malformed: "malformed"
        case .version: "version"
        }
    }
}
