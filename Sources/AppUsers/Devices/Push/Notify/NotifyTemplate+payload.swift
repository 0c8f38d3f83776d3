import LightningCoding

extension NotifyTemplate {
    /// A member of `data`, its name in the push, and its form.
    private struct Member {
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

    /// The members, in the order of the push.
    private var members: [Member] {
        switch self {
        case .paymentReceived: [Member("payment_hash")]
        case .transactionConfirmed: [Member("tx_id")]
        case .addressTransactionsConfirmed: [Member("address")]
        case .payInfo: [Member("callback_url"), Member("reply_url")]
        case .payInvoice:
            [
                Member("amount", .amount), Member("comment", .optionalText), Member("nostr", .optionalText),
                Member("reply_url"), Member("verify_url", .optionalText),
            ]
        case .payVerify: [Member("payment_hash"), Member("reply_url")]
        case .swapUpdate: [Member("id"), Member("status")]
        case .invoiceRequest: [Member("invoiceRequest", pushed: "invoice_request"), Member("offer")]
        case .walletConnectEvent: [Member("event")]
        }
    }

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
