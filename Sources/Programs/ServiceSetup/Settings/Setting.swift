/// One setting: its key, type, default and meaning.
///
/// The names of the flag and of the environment variable are derived from the key: `limits.body` is `--limits-body` and
/// `RESPONDER_LIMITS_BODY`, and in the file `body` below `limits`. An optional setting has an optional type, whose
/// default is nil.
package struct Setting<Value: SettingValue>: SettingRow {
    package let key: String
    package let standard: Value
    package let explanation: String
    package let rule: @Sendable (Value) -> String?

    package init(
        _ key: String,
        standard: Value,
        _ explanation: String,
        rule: @escaping @Sendable (Value) -> String? = { _ in nil }
    ) {
        self.key = key
        self.standard = standard
        self.explanation = explanation
        self.rule = rule
    }

    package var form: String { Value.form }

    package var isList: Bool { Value.isList }

    package var isFlag: Bool { Value.self == Bool.self }

    package var standardText: String? { standard.isAbsent ? nil : standard.settingText }

    package func read(_ text: String) throws(SettingProblem) -> Value {
        guard let value = Value(setting: text) else { throw .wrongForm(expected: form) }
        if let problem = rule(value) { throw .notAllowed(problem) }
        return value
    }

    package func check(_ text: String) throws(SettingProblem) {
        _ = try read(text)
    }
}

extension Setting where Value == UInt64 {
    package init(_ key: String, standard: UInt64, in range: ClosedRange<UInt64>, _ explanation: String) {
        self.init(key, standard: standard, explanation) { value in
            range.contains(value) ? nil : "must be between \(range.lowerBound) and \(range.upperBound)"
        }
    }
}

extension Setting {
    /// An optional setting.
    ///
    /// - Parameter rule: says why a well-formed value is invalid.
    package init<Wrapped>(
        _ key: String, _ explanation: String, rule: @escaping @Sendable (Wrapped) -> String? = { _ in nil }
    ) where Value == Wrapped? {
        self.init(key, standard: nil, explanation) { value in value.flatMap(rule) }
    }
}

package protocol SettingRow: Sendable {
    var key: String { get }
    var form: String { get }
    /// Whether it has several values, which the file may give as a list.
    var isList: Bool { get }
    /// Whether it is boolean, so that its flag takes no value.
    var isFlag: Bool { get }
    /// The default as text; nil when there is none.
    var standardText: String? { get }
    var explanation: String { get }

    func check(_ text: String) throws(SettingProblem)
}

extension SettingRow {
    /// The long flag, without the leading dashes.
    package var flagName: String {
        String(decoding: key.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    }

    package var environmentName: String {
        SettingTable.environmentPrefix + String(key.map { $0.isLetter || $0.isNumber ? $0 : "_" }).uppercased()
    }

    package var help: String { explanation + (standardText.map { " (default: \($0))" } ?? "") }
}

package enum SettingProblem: Error, Hashable, Sendable {
    /// It is not of the setting's type, or a mapping instead of a single value, or the reverse.
    case wrongForm(expected: String)
    case notAllowed(String)
}
