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

    var requiredFields: [PayloadField] {
        switch self {
        case .payInfo: [.callbackURL]
        case .payInvoice: [.amount]
        case .payVerify, .paymentReceived: [.paymentHash]
        case .invoiceRequest: [.offer, .invoiceRequest]
        case .swapUpdated: [.id, .status]
        case .addressConfirmed: [.address]
        case .transactionConfirmed: [.transactionID]
        case .other: []
        }
    }

    var optionalFields: [PayloadField] {
        self == .payInvoice ? [.comment, .verifyURL] : []
    }

    var isAnswered: Bool {
        switch self {
        case .payInfo, .payInvoice, .payVerify, .invoiceRequest: true
        default: false
        }
    }

    /// Whether senders of the type may expect the reply in the HTTP response.
    func isAnsweredByResponse(as type: String) -> Bool { type == "invoice.request" }

    func usualEnvelope(of type: String) -> NotificationEnvelope { type.contains(".") ? .event : .template }

    /// A line per type: its required and optional members.
    static let table = allCases.filter { $0 != .other }.map { kind in
        let optional = kind.optionalFields.map { "[\($0.option)]" }
        let options = (kind.requiredFields.map(\.option) + optional).joined(separator: " ")
        let name = kind.types.joined(separator: ", ")
        let blanks = String(repeating: " ", count: max(1, 35 - name.count))
        return "  \(name)\(blanks)\(options)"
    }.joined(separator: "\n")
}

/// A member of a payload, filled by an option.
enum PayloadField: String, CaseIterable {
    case callbackURL = "callback_url"
    case amount
    case comment
    case verifyURL = "verify_url"
    case paymentHash = "payment_hash"
    case offer
    case invoiceRequest = "invoice_request"
    case id
    case status
    case address
    case transactionID = "tx_id"

    var option: String { "--" + rawValue.map { $0 == "_" ? "-" : String($0) }.joined() }

    /// Its name, which for invoice requests differs from envelope to envelope.
    func name(in envelope: NotificationEnvelope) -> String {
        self == .invoiceRequest && envelope == .event ? "invoiceRequest" : rawValue
    }
}
