import Bolt12
import LightningCoding

/// What a forwarder posts: `{"event":"invoice.request","data":{"offer":"lno1…","invoiceRequest":"<hex>"}}`.
struct InvoiceRequestCall: Hashable, Sendable {
    /// The offer that the forwarder knows the request to be for; nil when it does not say.
    let offer: String?
    /// The request's TLV stream.
    let request: [UInt8]

    /// A request fills a Lightning message at the most, 65,535 bytes; its offer is in it once more, as text.
    static let bodyLimit = 1 << 18

    init(_ json: JSONValue) throws(CallFault) {
        guard json["event"]?.string == "invoice.request", let data = json["data"] else { throw .notAnInvoiceRequest }
        guard let digits = (data["invoiceRequest"] ?? data["invoice_request"])?.string else {
            throw .notAnInvoiceRequest
        }
        switch data["offer"] {
        case nil, .null?: offer = nil
        case .string(let text)?: offer = text
        default: throw .notAnInvoiceRequest
        }
        do {
            request = try Hexadecimal.decode(digits)
        } catch {
            throw .notHexadecimal
        }
    }
}

/// Why a call brings no request that could be looked at: the forwarder's mistake, not the payer's.
enum CallFault: Error, Hashable, Sendable {
    /// The body was not read.
    case body(BodyFault)
    /// Another event, or a member is missing or of the wrong type.
    case notAnInvoiceRequest
    /// The request is not in hexadecimal, two digits for each byte.
    case notHexadecimal
}
