package import LightningCoding
package import OnionMessages
package import ResponderCore

package protocol SettingValue: Hashable, Sendable {
    /// The syntax, in a few words.
    static var form: String { get }

    static var isList: Bool { get }

    init?(setting text: String)

    var settingText: String { get }

    /// Whether this stands for no value.
    var isAbsent: Bool { get }
}

extension SettingValue {
    package static var isList: Bool { false }

    package var isAbsent: Bool { false }
}

extension SettingValue where Self: CustomStringConvertible {
    package var settingText: String { description }
}

extension Optional: SettingValue where Wrapped: SettingValue {
    package static var form: String { Wrapped.form }

    package static var isList: Bool { Wrapped.isList }

    package init?(setting text: String) {
        guard let value = Wrapped(setting: text) else { return nil }
        self = value
    }

    package var settingText: String { self?.settingText ?? "none" }

    package var isAbsent: Bool { self == nil }
}

extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var form: String { allCases.map(\.rawValue).joined(separator: " | ") }

    package init?(setting text: String) { self.init(rawValue: text) }

    package var settingText: String { rawValue }
}

extension Network: SettingValue {}
extension LogFormat: SettingValue {}
extension LogLevel: SettingValue {}
extension ResponderSettings.PayerDataCommitment: SettingValue {}

extension String: SettingValue {
    package static var form: String { "text" }

    package init?(setting text: String) {
        guard !text.isEmpty else { return nil }
        self = text
    }
}

extension Bool: SettingValue {
    package static var form: String { "true | false" }

    package init?(setting text: String) { self.init(text) }
}

extension UInt64: SettingValue {
    package static var form: String { "whole number" }

    package init?(setting text: String) {
        guard text.utf8.count <= 20 else { return nil }
        self.init(digits: text)
    }
}

extension Millisatoshi: SettingValue {
    package static var form: String { "amount as 21sat, 1500msat, 0.001btc" }

    package init?(setting text: String) { try? self.init(text: text) }

    package var settingText: String { "\(msat)msat" }
}

extension ListenAddress: SettingValue {
    package static var form: String { "host:port" }

    package init?(setting text: String) { try? self.init(text) }
}

extension HTTPURL: SettingValue {
    package static var form: String { "http(s) URL" }

    package init?(setting text: String) { try? self.init(text) }

    package var settingText: String { text }
}

package enum LogFormat: String, CaseIterable, Hashable, Sendable {
    /// `2026-11-21T03:27:03Z info invoice settled account=alice`
    case text
    case json
}

/// The least severe level that is logged, by the names of swift-log, which the one-shot process does not link.
package enum LogLevel: String, CaseIterable, Hashable, Sendable {
    case trace, debug, info, notice, warning, error, critical
}

extension HTTPURL {
    /// Scheme, host and port, the form of a public URL.
    package var origin: String { "\(scheme.rawValue)://\(authority)" }
}

extension PeerAddress: SettingValue {
    package static var form: String { "<node id>@host:port" }

    package init?(setting text: String) { try? self.init(text) }
}

/// Rules for the base of every URL that we give to payers.
package enum PublicURLRule {
    /// LUD-01: https, or http on an onion address or on loopback.
    package static func problem(_ url: HTTPURL) -> String? {
        if url.query != nil || (url.path != "/" && url.path != "") { return "must not have a path or query" }
        if url.scheme == .http, !url.isOnion, !url.isLoopback {
            return "must begin with https (http is for .onion and loopback only)"
        }
        return nil
    }
}
