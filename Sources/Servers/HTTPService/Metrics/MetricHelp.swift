/// What each metric counts, for whoever reads the page.
enum MetricHelp {
    static let texts = [
        "responder_backend_events_refused_total": "Events posted by nodes that were refused.",
        "responder_device_acknowledgement_seconds": "Time from a wake to its acknowledgement by the device.",
        "responder_device_acknowledgements_total": "Acknowledgments of wakes by devices, by outcome.",
        "responder_device_addresses_dropped_total":
            "Addresses of devices that the provider of push messages no longer knows.",
        "responder_device_answer_seconds": "Time of a device's answer to a payer's question.",
        "responder_device_catch_ups_total": "Wakes of devices that were long without network.",
        "responder_device_fallback_alerts_total": "Alerts that followed on wakes that were not handled.",
        "responder_device_messages_total": "Messages to devices that providers have taken, by way.",
        "responder_device_payers_left_total": "Payers who hung up while they waited for a device.",
        "responder_device_questions_total": "LNURL requests for devices, by outcome.",
        "responder_device_replies_unknown_total": "Replies of devices for which nobody waited.",
        "responder_device_streams": "Open streams of messages.",
        "responder_instances": "Running instances of the service.",
        "responder_invoice_mismatches_total": "Invoices of nodes that were not what was ordered.",
        "responder_invoices_issued_total": "Invoices issued by this process, by domain.",
        "responder_lease_held": "Whether this instance holds the lease.",
        "responder_ledger_commit_longest_seconds": "Time of the slowest commit of the ledger.",
        "responder_ledger_commit_seconds_total": "Time that commits of the ledger took.",
        "responder_ledger_commits_total": "Commits of the ledger.",
        "responder_ledger_writes_total": "Writes in the commits of the ledger.",
        "responder_notifications_held": "Notifications that are being processed.",
        "responder_notifications_refused_total": "Notifications refused because too many were waiting.",
        "responder_notifications_total": "Notifications, by outcome.",
        "responder_outbox_attempts_total": "Attempts at outbox entries, by kind and outcome.",
        "responder_outbox_parked": "Outbox entries that are no longer retried, by kind.",
        "responder_outbox_pending": "Outbox entries still to be carried out, by kind.",
        "responder_peer_answer_seconds": "Time of an answer to an invoice request over the Lightning network.",
        "responder_peer_connections": "Open connections with Lightning nodes.",
        "responder_peer_dropped_total": "Onion messages that were dropped, by reason.",
        "responder_peer_messages_total": "Messages of Lightning nodes.",
        "responder_push_alarms_total": "Failures of push messages that only the operator can correct.",
        "responder_push_answers_total": "Answers of providers of push messages.",
        "responder_push_messages_total": "Push messages, by provider, priority and end.",
        "responder_push_queued_total": "Events kept for the outbox, to be pushed.",
        "responder_push_replies_missing_total": "Devices that did not reply to a push message.",
        "responder_push_reply_seconds": "Time from a request that waits for a device to the device's reply.",
        "responder_push_seconds": "Time of a provider's answer to a push message.",
        "responder_rate_limited_total": "Requests over a rate limit.",
        "responder_replies_total": "Replies to notifications, by outcome.",
        "responder_reply_seconds": "Time of a reply to a notification.",
        "responder_request_seconds": "Time of a request, by route.",
        "responder_requests_total": "Requests, by route and outcome.",
        "responder_settlements_followed": "Whether this instance follows the payments of the node.",
        "responder_settlements_total": "Payments in the ledger.",
        "responder_settlements_unreadable_total": "Payments that could not be read.",
        "responder_unreadable_requests_total": "Requests that cannot be read, by listener.",
    ]

    /// A page with a `# HELP` line before each `# TYPE` line.
    static func added(to page: String) -> String {
        page.split(separator: "\n").reduce(into: "") { text, line in
            if line.hasPrefix("# TYPE "), let help = texts[String(line.split(separator: " ")[2])] {
                text += "# HELP \(line.split(separator: " ")[2]) \(help)\n"
            }
            text += line + "\n"
        }
    }
}
