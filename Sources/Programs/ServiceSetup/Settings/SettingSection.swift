/// A part of the file that is not a single value: names that the operator chooses, with the settings of each, or a list
/// of such. Only the file can hold it, not a flag or variable.
///
/// **To add one**, such as `backends:` with a mapping for each node:
/// 1. A row `SettingTable.backends = SettingSection(key: "backends", explanation: "…", rows: …)`, and its name in `SettingTable.sections`.
/// 2. A type, such as `NodeConfiguration`, with an initializer that takes a `SectionNode` and throws
///   `ConfigurationFaults`. It declares its keys as `Setting`s, like the table, and reads them with `node.fields([kind,
///   address])`, which reports every mistake with key and line; `fields[address]` is the value or the default.
///   `node.entries()` gives the members of a mapping by name, `node.elements()` those of a list.
/// 3. In `ServiceConfiguration.init`: `backends = try sources.section(SettingTable.backends).map(…)`.
///
/// **A plain nested section** with known keys, such as `limits`, needs none of this: a row `limits.body` in the table
/// is the key `body` below `limits`. **A list of values** is a `Setting<[String]>`, or of any other value: `[a, b]` in
/// the file, `a,b` in a flag or a variable, `none` for an empty one.
package struct SettingSection: Sendable {
    /// From the root of the file, with dots between the names.
    package let key: String
    package let explanation: String
    /// The single-valued keys in it, or in each of its entries, where they do not depend on a kind.
    var rows: [any SettingRow] = []
    /// Keys in it that are lists of words: a program and its arguments.
    var nested: [String] = []
}

enum SettingList {
    static let empty = "none"
}

extension Array: SettingValue where Element: SettingValue {
    package static var form: String { "list of \(Element.form)" }

    package static var isList: Bool { true }

    package init?(setting text: String) {
        guard text != SettingList.empty else {
            self = []
            return
        }
        var elements: [Element] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let trimmed = part.drop { $0 == " " }
            guard let element = Element(setting: String(trimmed)) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    package var settingText: String {
        isEmpty ? SettingList.empty : map(\.settingText).joined(separator: ",")
    }
}
