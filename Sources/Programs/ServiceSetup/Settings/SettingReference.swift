/// Every setting as Markdown: docs/configuration.md is this text.
package enum SettingReference {
    package static var markdown: String {
        """
        # Configuration

        Settings come from flags, then from environment variables, then from a YAML file (`--config FILE` or \
        `RESPONDER_CONFIG`), then from their defaults. `limits.body` is the flag `--limits-body`, the variable \
        `RESPONDER_LIMITS_BODY`, and `body` below `limits` in the file. A list is `a,b` in a flag or variable, `[a, b]` in \
        the file, and `none` when empty. `lightning-responder config check` names every mistake with its key and line, \
        `config show` every value with its origin.

        `lightning-responder config reference` prints this document.

        ## Settings

        \(table(SettingTable.rows))

        ## Nodes: `\(SettingTable.backends.key)`

        \(SettingTable.backends.explanation) In the file only:

        """ + kinds + sections
    }

    private static var kinds: String {
        NodeKinds.all.map { kind in
            "### `kind: \(kind.word)`\n\n"
                + (kind.rows.isEmpty
                    ? "No keys of its own.\n\n" : table(kind.rows) + "\n" + programs(kind.nested) + "\n")
        }.joined()
            + "### Every kind but `embedded`\n\n" + table(Array(NodeConfiguration.common.dropFirst())) + "\n\n"
    }

    private static func programs(_ keys: [String]) -> String {
        keys.map { "| `\($0)` | list of text | | A program and its arguments, instead of `url`. |\n" }.joined()
    }

    private static var sections: String {
        SettingTable.sections.dropFirst().map { section in
            "## `\(section.key)`\n\n\(section.explanation) In the file only.\n\n\(table(section.rows))\n"
                + programs(section.nested)
        }.joined(separator: "\n")
    }

    private static func table(_ rows: [any SettingRow]) -> String {
        let lines = rows.map { row in
            let standard = row.standardText.map { "`\($0)`" } ?? ""
            return "| `\(row.key)` | \(cell(row.form)) | \(standard) | \(cell(row.explanation)) |"
        }
        return (["| key | form | default | meaning |", "|---|---|---|---|"] + lines).joined(separator: "\n")
    }

    /// A bar would end the cell.
    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}

/// The sections of the file, which flags cannot set; for the help.
package enum SectionHelp {
    package static var text: String {
        "SECTIONS OF THE FILE\n" + backends
            + SettingTable.sections.dropFirst().map { section in
                "  \(section.key)\n    \(section.explanation)\n" + section.rows.map(line).joined()
                    + programs(section.nested)
            }.joined()
    }

    private static func programs(_ keys: [String]) -> String {
        keys.map { "      \($0) <list of text>\n        A program and its arguments, instead of url.\n" }.joined()
    }

    private static var backends: String {
        let kinds = NodeKinds.all.map { kind in
            "    kind: \(kind.word)\n" + kind.rows.map(line).joined() + programs(kind.nested)
        }
        let common = NodeConfiguration.common.dropFirst().map(line)
        return "  \(SettingTable.backends.key)\n    \(SettingTable.backends.explanation)\n"
            + kinds.joined() + "    every kind but embedded\n" + common.joined()
    }

    private static func line(_ row: any SettingRow) -> String {
        "      \(row.key) <\(row.form)>\n        \(row.help)\n"
    }
}
