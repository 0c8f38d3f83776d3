import LightningCoding

/// The notifications that senders post to `/api/v1/notify`, as `{"template":…,"data":{…}}` or `{"event":…,"data":{…}}`.
///
/// Source: breez/notify, `http/router.go` and `notify/notify.go` at 54b1cdc4.
package struct NotifyTemplate: Hashable, Sendable {
    /// What the device reads as its type.
    package let type: String
    package let title: String
    package let answer: Answer
    /// The name of its event; nil for a template, whose name is the type.
    private let event: String?
    /// The members of `data`, in the order of the push.
    private let members: [Member]
    /// The member whose value tells one thing from another: a message about the same thing replaces an undelivered one.
    package let subject: String?
    /// Whether a later notification about the same thing makes an earlier one needless.
    package let replacesEarlier: Bool

    package enum Answer: Sendable {
        /// When the provider has taken the push: the sender waits for the device next, somewhere else.
        case afterPush
        /// When the push is durable.
        case onceDurable
        /// With the device's reply.
        case withReply
    }

    /// A member of `data`, its name in the push, and its form.
    private struct Member: Hashable {
        let name: String
        let pushed: String
        let form: Form

        enum Form {
            case text
            case optionalText
            case amount
        }

        init(_ name: String, _ form: Form = .text, pushed: String? = nil) {
            self.name = name
            self.pushed = pushed ?? name
            self.form = form
        }
    }

    private init(
        _ type: String, _ title: String, _ answer: Answer, event: String? = nil, _ members: [Member],
        about subject: String? = nil, replacesEarlier: Bool = false
    ) {
        self.type = type
        self.title = title
        self.answer = answer
        self.event = event
        self.members = members
        self.subject = subject
        self.replacesEarlier = replacesEarlier
    }

    package static let all = [
        NotifyTemplate(
            "payment_received", "Incoming payment", .onceDurable, [Member("payment_hash")], about: "payment_hash"),
        NotifyTemplate("tx_confirmed", "Transaction confirmed", .onceDurable, [Member("tx_id")], about: "tx_id"),
        NotifyTemplate(
            "address_txs_confirmed", "Address transactions confirmed", .onceDurable, [Member("address")],
            about: "address"),
        NotifyTemplate(
            "lnurlpay_info", "Receiving payment", .afterPush, [Member("callback_url"), Member("reply_url")]),
        NotifyTemplate(
            "lnurlpay_invoice", "Invoice requested", .afterPush,
            [
                Member("amount", .amount), Member("comment", .optionalText), Member("nostr", .optionalText),
                Member("reply_url"), Member("verify_url", .optionalText),
            ]),
        NotifyTemplate("lnurlpay_verify", "Verify payment", .afterPush, [Member("payment_hash"), Member("reply_url")]),
        NotifyTemplate(
            "swap_updated", "Swap updated", .onceDurable, event: "swap.update", [Member("id"), Member("status")],
            about: "id", replacesEarlier: true),
        // Of a service that takes the reply itself.
        NotifyTemplate(
            "invoice_request", "Invoice request", .afterPush, event: "invoice.request",
            [Member("invoiceRequest", pushed: "invoice_request"), Member("offer"), Member("reply_url")]),
        NotifyTemplate(
            "invoice_request", "Invoice request", .withReply, event: "invoice.request",
            [Member("invoiceRequest", pushed: "invoice_request"), Member("offer")]),
        NotifyTemplate("nwc_event", "NWC Event Received", .onceDurable, [Member("event")]),
    ]

    /// For how long the push is useful, in seconds: as long as somebody waits, or a day.
    package var lifetime: UInt64 {
        switch answer {
        case .afterPush: 30
        case .withReply: 60
        case .onceDurable: 86_400
        }
    }

    /// The member that holds the name, and the name.
    var name: (member: String, value: String) { event.map { ("event", $0) } ?? ("template", type) }

    /// The `data` that has a payload.
    func data(of payload: JSONObject) -> JSONObject {
        members.reduce(into: JSONObject()) { data, member in
            if let value = payload[member.pushed] { data.append(member.name, value) }
        }
    }

    /// The payload of the push for `data`; nil when a member is missing, empty or of another type. Other members are dropped.
    func payload(_ data: JSONObject) -> JSONObject? {
        var payload = JSONObject()
        for member in members {
            let value = data[member.name].flatMap { $0.isNull ? nil : $0 }
            switch member.form {
            case .text:
                guard let text = value?.string, !text.isEmpty else { return nil }
                payload.append(member.pushed, .string(text))
            case .optionalText:
                guard let value else { continue }
                guard let text = value.string else { return nil }
                payload.append(member.pushed, .string(text))
            case .amount:
                guard let amount = value?.uint64, amount > 0 else { return nil }
                payload.append(member.pushed, .unsigned(amount))
            }
        }
        return payload
    }
}
