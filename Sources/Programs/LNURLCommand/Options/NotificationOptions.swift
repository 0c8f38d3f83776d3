import ArgumentParser
import Bolt12
import LightningCoding
package import ResponderCore

struct NotificationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The callback of LNURL-pay, for lnurlpay_info.", valueName: "url"))
    var callbackURL: String?

    @Option(help: ArgumentHelp("The amount to pay, with its unit.", valueName: "amount"))
    var amount: String?

    @Option(help: ArgumentHelp("A note to the payee.", valueName: "text"))
    var comment: String?

    @Option(
        name: .customLong("verify-url"),
        help: ArgumentHelp("The verify URL, with {payment_hash} in it.", valueName: "url"))
    var verifyURL: String?

    @Option(help: ArgumentHelp("The payment hash of an invoice.", valueName: "hex"))
    var paymentHash: String?

    @Option(help: ArgumentHelp("The offer, if it differs from that of the request.", valueName: "lno1…"))
    var offer: String?

    @Option(help: ArgumentHelp("The invoice request: lnr1…, or its bytes in hexadecimal.", valueName: "lnr1…"))
    var invoiceRequest: String?

    @Option(help: ArgumentHelp("The swap's id, or its SHA-256.", valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("The swap's status, such as transaction.mempool.", valueName: "status"))
    var status: String?

    @Option(help: ArgumentHelp("The address whose transactions are confirmed.", valueName: "address"))
    var address: String?

    @Option(name: .customLong("tx-id"), help: ArgumentHelp("The transaction that is confirmed.", valueName: "hex"))
    var transactionID: String?

    @Option(
        help: ArgumentHelp(
            "A JSON object whose members are added to the payload or replace its own; not validated.",
            valueName: "json"),
        transform: Self.object)
    var data: JSONObject?

    @Option(help: ArgumentHelp("The app's own data in a push message.", valueName: "text"))
    var appData: String?

    /// The payload of a notification, without the reply URL.
    func payload(
        of type: String, _ kind: NotificationKind, in envelope: NotificationEnvelope
    ) throws(ToolFault) -> JSONObject {
        var payload: JSONObject = [:]
        let fields = kind.requiredFields + kind.optionalFields
        if let field = given.first(where: { !fields.contains($0) }) {
            throw .commandLine("\(type) does not accept \(field.option).")
        }
        for field in fields {
            guard let value = try value(of: field) else {
                let isReplaced = data?[field.name(in: envelope)] != nil
                guard isReplaced || kind.optionalFields.contains(field) else {
                    throw .commandLine("\(type) needs \(field.option).")
                }
                continue
            }
            payload.append(field.name(in: envelope), value)
        }
        for member in data?.members ?? [] { payload.append(member.key, member.value) }
        return payload
    }

    func requestedAmount() throws(ToolFault) -> Millisatoshi? {
        try amount.map { text throws(ToolFault) in try Millisatoshi(argument: text) }
    }

    func request() throws(ToolFault) -> InvoiceRequest? {
        guard let invoiceRequest else { return nil }
        guard let bytes = try? Hexadecimal.decode(invoiceRequest) else {
            return try Bolt12Argument.read(invoiceRequest, as: .invoiceRequest).invoiceRequest()
        }
        return try rethrowing(InvoiceRequest(bytes: bytes), as: ToolFault.invoiceRequest)
    }

    private var given: [PayloadField] {
        let options: [(PayloadField, String?)] = [
            (.callbackURL, callbackURL), (.amount, amount), (.comment, comment), (.verifyURL, verifyURL),
            (.paymentHash, paymentHash), (.offer, offer), (.invoiceRequest, invoiceRequest), (.id, id),
            (.status, status), (.address, address), (.transactionID, transactionID),
        ]
        return options.filter { $0.1 != nil }.map(\.0)
    }

    private func value(of field: PayloadField) throws(ToolFault) -> JSONValue? {
        let text: String?
        switch field {
        case .amount: return try requestedAmount().map { .unsigned($0.msat) }
        case .invoiceRequest: text = try request().map { Hexadecimal.encode($0.stream.bytes) }
        case .offer: text = if let offer { offer } else { try mirroredOffer() }
        case .callbackURL: text = callbackURL
        case .comment: text = comment
        case .verifyURL: text = verifyURL
        case .paymentHash: text = paymentHash
        case .id: text = id
        case .status: text = status
        case .address: text = address
        case .transactionID: text = transactionID
        }
        return text.map { .string($0) }
    }

    /// The offer that the request itself mirrors.
    private func mirroredOffer() throws(ToolFault) -> String? {
        let request = try request()
        return try rethrowing(request?.mirroredOffer()?.text, as: ToolFault.offer)
    }

    private static func object(_ text: String) throws -> JSONObject {
        guard let object = (try? JSONValue(parsing: text))?.object else {
            throw ValidationError("--data must be a JSON object.")
        }
        return object
    }
}

extension NotificationEnvelope: ExpressibleByArgument {}
