package import LightningCoding
package import ResponderCore

/// A type that a setting can have: how it is written and parsed.
package protocol SettingValue: Hashable, Sendable {
    /// The syntax, in a few words.
    static var form: String { get }

    /// Whether it holds several values, which the file may give as a list.
    static var isList: Bool { get }

    /// Nil when the text is malformed.
    init?(setting text: String)

    /// The value as text.
    var settingText: String { get }

    /// Whether this stands for no value.
    var isAbsent: Bool { get }
}

extension SettingValue {
    package static var isList: Bool { false }

    package var isAbsent: Bool { false }
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

    package var settingText: String { self }
}

extension Bool: SettingValue {
    package static var form: String { "true | false" }

    package init?(setting text: String) { self.init(text) }

    package var settingText: String { String(self) }
}

extension UInt64: SettingValue {
    package static var form: String { "whole number" }

    package init?(setting text: String) {
        guard text.utf8.count <= 20 else { return nil }
        self.init(digits: text)
    }

    package var settingText: String { String(self) }
}

extension Millisatoshi: SettingValue {
    package static var form: String { "amount as 21sat, 1500msat, 0.001btc" }

    package init?(setting text: String) {
        guard let amount = try? Millisatoshi(text: text) else { return nil }
        self = amount
    }

    package var settingText: String { "\(msat)msat" }
}

extension ListenAddress: SettingValue {
    package static var form: String { "host:port" }

    package init?(setting text: String) {
        guard let address = try? ListenAddress(text) else { return nil }
        self = address
    }

    package var settingText: String { description }
}

extension HTTPURL: SettingValue {
    package static var form: String { "http(s) URL" }

    package init?(setting text: String) {
        guard let url = try? HTTPURL(text) else { return nil }
        self = url
    }

    package var settingText: String { text }
}
