import Notifications

/// The sections of the file, which flags cannot set; for the help.
package enum SectionHelp {
    /// The whole text.
    package static var text: String {
        "SECTIONS OF THE FILE\n" + backends
            + section(SettingTable.domains, DomainConfiguration.rows) { $0.explanation }
            + section(NotificationSettingGroup.namesSection, NameSettings.rows) { $0.explanation }
            + "    types, members\n"
            + "      Mappings: of the sender's types to ours, and of our members to the sender's.\n"
            + section(NotificationSettingGroup.textsSection, NotificationTexts.rows) { $0.explanation }
            + section(NotificationSettingGroup.handlersSection, HandlerSettings.rows) { $0.explanation }
            + programs(HandlerSettings.nested)
    }

    private static func programs(_ keys: [String]) -> String {
        keys.map { "      \($0) <list of text>\n        A program and its arguments, instead of url.\n" }.joined()
    }

    private static var backends: String {
        let kinds = NodeKinds.all.map { kind in
            "    kind: \(kind.word)\n" + kind.rows.map { line($0) { $0.explanation } }.joined() + programs(kind.nested)
        }
        let common = NodeConfiguration.common.dropFirst().map { line($0) { $0.explanation } }
        return "  \(SettingTable.backends.key)\n    \(SettingTable.backends.explanation)\n"
            + kinds.joined() + "    every kind but embedded\n" + common.joined()
    }

    private static func section(
        _ section: SettingSection, _ rows: [any SettingRow], _ explain: (any SettingRow) -> String
    ) -> String {
        "  \(section.key)\n    \(section.explanation)\n" + rows.map { line($0, explain) }.joined()
    }

    private static func line(_ row: any SettingRow, _ explain: (any SettingRow) -> String) -> String {
        let standard = row.standardText.map { " (default: \($0))" } ?? ""
        return "      \(row.key) <\(row.form)>\n        \(explain(row))\(standard)\n"
    }
}
