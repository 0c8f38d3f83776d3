import Settings

/// The output of `lightning-responder respond --help`.
package enum RespondHelp {
    /// In one line.
    package static let abstract = "Answer one notification, post the reply, and exit."

    /// What it does and how it ends.
    package static let discussion = """
        Reads a notification as received (a webhook's body, or a push message's data as JSON), answers it, posts the reply to \
        the notification's reply URL, and records both in the ledger's event log. Any number may run in parallel, \
        also beside the service, on the same data folder.

        Exits with 0 if the reply was accepted, or if none was needed and all work is done; with 1 if the reply \
        is an error, such as an unknown invoice, or was refused for good; with 75 if it is unknown whether it \
        was accepted; with 69 if a later retry may help. Without --account, the only account is used; \
        if there is none, alice is created, with the embedded node.
        """

    /// The options besides the settings: syntax and meaning.
    package static let options: [(form: String, meaning: String)] = [
        ("--notification FILE", "The notification; - reads standard input."),
        ("--account NAME", "The account (default: the only one)."),
        (
            "--dry-run",
            "Show the reply instead of posting it, and record no event. An invoice created for it stays in the ledger."
        ),
        ("--json", "Print one JSON object instead of text; failures too, as {\"error\":{…}}."),
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
