import ResponderCore

/// The meaning of a notification's type, whatever its name in the envelope.
enum NotificationKind: CaseIterable {
    case payInfo, payInvoice, payVerify, invoiceRequest, swapUpdated, paymentReceived, addressConfirmed,
        transactionConfirmed
    /// An unknown type: its payload is given with --data.
    case other

    init(type: String) {
        self = Self.allCases.first { $0.types.contains(type) } ?? .other
    }

    var types: [String] {
        switch self {
        case .payInfo: ["lnurlpay_info"]
        case .payInvoice: ["lnurlpay_invoice"]
        case .payVerify: ["lnurlpay_verify"]
        case .invoiceRequest: ["invoice.request", "invoice_request"]
        case .swapUpdated: ["swap.update", "swap_updated"]
        case .paymentReceived: ["payment_received"]
        case .addressConfirmed: ["address_txs_confirmed"]
        case .transactionConfirmed: ["tx_confirmed"]
        case .other: []
        }
    }

    /// The members that the payload must have. Each is given by an option of its name.
    var requiredMembers: [String] {
        switch self {
        case .payInfo: ["callback_url"]
        case .payInvoice: ["amount"]
        case .payVerify, .paymentReceived: ["payment_hash"]
        case .invoiceRequest: ["offer", "invoice_request"]
        case .swapUpdated: ["id", "status"]
        case .addressConfirmed: ["address"]
        case .transactionConfirmed: ["tx_id"]
        case .other: []
        }
    }

    var optionalMembers: [String] {
        self == .payInvoice ? ["comment", "verify_url"] : []
    }

    static func option(for member: String) -> String { "--" + member.replacing("_", with: "-") }

    var isAnswered: Bool {
        switch self {
        case .payInfo, .payInvoice, .payVerify, .invoiceRequest: true
        default: false
        }
    }

    /// Whether senders of the type may expect the reply in the HTTP response.
    func isAnsweredByResponse(as type: String) -> Bool { type == "invoice.request" }

    func usualEnvelope(of type: String) -> NotificationEnvelope { type.contains(".") ? .event : .template }

    static let table = allCases.filter { $0 != .other }.map { kind in
        let options =
            (kind.requiredMembers.map(option) + kind.optionalMembers.map { "[\(option(for: $0))]" })
            .joined(separator: " ")
        let name = kind.types.joined(separator: ", ")
        let blanks = String(repeating: " ", count: max(1, 35 - name.count))
        return "  \(name)\(blanks)\(options)"
    }.joined(separator: "\n")
}
