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
        let names = kind.requiredMembers + kind.optionalMembers
        if let name = given.keys.sorted().first(where: { !names.contains($0) }) {
            throw .commandLine("\(type) does not accept \(NotificationKind.option(for: name)).")
        }
        for name in names {
            let member = name == "invoice_request" && envelope == .event ? "invoiceRequest" : name
            if let value = try value(of: name) {
                payload.append(member, value)
            } else if data?[member] == nil, kind.requiredMembers.contains(name) {
                throw .commandLine("\(type) needs \(NotificationKind.option(for: name)).")
            }
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

    /// What the options say, by the member that each gives.
    private var given: [String: String] {
        let options = [
            "callback_url": callbackURL, "amount": amount, "comment": comment, "verify_url": verifyURL,
            "payment_hash": paymentHash, "offer": offer, "invoice_request": invoiceRequest, "id": id,
            "status": status, "address": address, "tx_id": transactionID,
        ]
        return options.compactMapValues(\.self)
    }

    private func value(of member: String) throws(ToolFault) -> JSONValue? {
        switch member {
        case "amount": try requestedAmount().map { .unsigned($0.msat) }
        case "invoice_request": try request().map { .hexadecimal($0.stream.bytes) }
        case "offer" where offer == nil: try mirroredOffer().map { .string($0) }
        default: given[member].map { .string($0) }
        }
    }

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
