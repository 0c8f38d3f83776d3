import AddressService
import LightningCoding
import Logging
import Responding

/// A type that a setting can have: how it is written, and how it is read.
protocol SettingValue: Hashable, Sendable {
    /// What may be written, in a few words.
    static var form: String { get }

    /// Nil when the text is not of that form.
    init?(setting text: String)

    /// The value as it would be written.
    var settingText: String { get }
}

extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    static var form: String { allCases.map(\.rawValue).joined(separator: " | ") }

    init?(setting text: String) { self.init(rawValue: text) }

    var settingText: String { rawValue }
}

extension Network: SettingValue {}
extension LogFormat: SettingValue {}
extension Logger.Level: SettingValue {}
extension ResponderSettings.PayerDataCommitment: SettingValue {}

extension String: SettingValue {
    static var form: String { "text" }

    init?(setting text: String) {
        guard !text.isEmpty else { return nil }
        self = text
    }

    var settingText: String { self }
}

extension Bool: SettingValue {
    static var form: String { "true | false" }

    init?(setting text: String) { self.init(text) }

    var settingText: String { String(self) }
}

extension UInt64: SettingValue {
    static var form: String { "whole number" }

    init?(setting text: String) {
        guard (1...20).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.init(text)
    }

    var settingText: String { String(self) }
}

extension ListenAddress: SettingValue {
    static var form: String { "host:port" }

    init?(setting text: String) {
        guard let address = try? ListenAddress(text) else { return nil }
        self = address
    }

    var settingText: String { description }
}

extension HTTPURL: SettingValue {
    static var form: String { "http(s) URL" }

    init?(setting text: String) {
        guard let url = try? HTTPURL(text) else { return nil }
        self = url
    }

    var settingText: String { text }
}
