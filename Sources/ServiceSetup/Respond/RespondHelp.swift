import Settings

/// The output of `lightning-responder respond --help`.
package enum RespondHelp {
    /// In one line.
    package static let abstract = "Answer one notification, post the reply, and end."

    /// What it does and how it ends.
    package static let discussion = """
        Reads a notification as it came (a webhook's body, or a push message's data as JSON), answers it, posts the reply to \
        where the notification says, and writes both into the ledger's event log. Any number of these may run beside each \
        other and beside the service, on the same data folder.

        Ends with 0 when the reply was taken, or when nothing was to be posted and everything is done; with 1 when the reply \
        is an error, such as that no such invoice is known, or was refused for good; with 75 when nobody knows whether it \
        was taken; with 69 when trying again later may help. Without --account the only account is meant; \
        when there is none yet, alice is made, on a node without a network.
        """

    /// The options besides the settings: syntax and meaning.
    package static let options: [(form: String, meaning: String)] = [
        ("--notification FILE", "The notification; - reads standard input."),
        ("--account NAME", "For whom it is."),
        (
            "--dry-run",
            "Show the reply instead of posting it, and log nothing. An invoice that is made stays in the ledger."
        ),
        ("--json", "Write one JSON object instead of text; failures too, as {\"error\":{…}}."),
        ("--config FILE", "A YAML file with settings; also RESPONDER_CONFIG."),
        ("--version", "Show the version."),
        ("-h, --help", "Show this."),
    ]

    /// The whole text.
    package static var text: String {
        let own = options.map { "  \($0.form)\n        \($0.meaning)\n" }.joined()
        let settings = SettingTable.rows.map { row in
            let value = row.isFlag ? "" : " <\(row.form)>"
            return "  --\(row.flagName)\(value)\n        \(row.help)\n"
        }
        return "OVERVIEW: \(abstract)\n\n\(discussion)\n\nUSAGE: lightning-responder respond --notification <file> "
            + "[--account <name>] [--dry-run] [--json]\n\nOPTIONS:\n\(own)\nSETTINGS:\n\(settings.joined())"
    }
}
