/// The syntax of a list in one text.
enum SettingList {
    /// The word for an empty list.
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
