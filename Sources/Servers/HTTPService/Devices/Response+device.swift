import Devices
import HTTPTypes
import Hummingbird
import LightningCoding
import LightningCrypto
import NIOCore
import ResponderModel

extension Response {
    fileprivate static let deviceHeaders: HTTPFields = {
        var headers: HTTPFields = [.accessControlAllowOrigin: "*", .cacheControl: "no-store, private"]
        if let expose = HTTPField.Name("Access-Control-Expose-Headers") { headers[expose] = "ETag, Retry-After" }
        return headers
    }()

    /// Nothing, with status 204.
    static var deviceDone: Response { Response(status: .noContent, headers: deviceHeaders) }

    static func device(_ object: JSONObject) -> Response { device(.ok, .object(object)) }

    /// The same with an entity tag: 304 for a device that has it.
    static func tagged(_ object: JSONObject, for request: Request) -> Response {
        let body = JSONValue.object(object).serializedBytes()
        let tag = "\"\(Hexadecimal.encode(SHA256.hash(body).prefix(16)))\""
        let isKnown = request.headers[.ifNoneMatch].map { tags(of: $0).contains(ExactText(tag)) } ?? false
        var response = isKnown ? Response(status: .notModified, headers: deviceHeaders) : .device(.ok, body)
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    /// The entity tags of `If-None-Match`, compared weakly (RFC 9110, section 13.1.2).
    private static func tags(of value: String) -> Set<ExactText> {
        Set(
            value.utf8.split(separator: UInt8(ascii: ",")).map { part in
                let text = String(decoding: part.trimmed, as: UTF8.self)
                return ExactText(text.begins(with: "W/") ? String(text.dropFirst(2)) : text)
            })
    }

    fileprivate static func device(_ status: HTTPResponse.Status, _ body: [UInt8]) -> Response {
        var headers = deviceHeaders
        headers[.contentType] = JSONHeaders.contentType
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    fileprivate static func device(_ status: HTTPResponse.Status, _ value: JSONValue) -> Response {
        device(status, value.serializedBytes())
    }

    /// `{"error":"…","message":"…"}`, as at wake.
    fileprivate static func device(_ status: HTTPResponse.Status, error: String, _ message: String) -> Response {
        device(status, ["error": .string(error), "message": .string(message)])
    }
}

extension RouteInstruments.Observed {
    init(_ refusal: MessageCenterRefusal) {
        var response = Response.device(refusal.status, error: refusal.code, refusal.reason)
        switch refusal {
        case .tooOften(let seconds):
            response.headers[.retryAfter] = String(seconds)
            self.init(response, .refused)
        case .ledger(let fault): self.init(response, .failed, cause: fault.reason)
        case .unauthorized:
            response.headers[.wwwAuthenticate] = "Bearer"
            self.init(response, .refused)
        default: self.init(response, .refused)
        }
    }
}

extension MessageCenterRefusal {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .unauthorized, .statement(.time), .statement(.signature), .statementReplaced: .unauthorized
        case .json, .statement(.member), .request: .badRequest
        case .body: .contentTooLarge
        case .gone: .gone
        case .tooManyDevices, .secretInUse: .conflict
        case .tooManyWakes, .tooOften: .tooManyRequests
        case .ledger: .serviceUnavailable
        }
    }
}
