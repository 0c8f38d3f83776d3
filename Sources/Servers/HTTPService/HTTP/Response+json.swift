import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import NIOCore

extension Response {
    /// A JSON document, written with our own writer so that the same value always gives the same bytes.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields) -> Response {
        .bytes(value.serializedBytes(), status: status, headers: headers)
    }

    /// `{"error":…}`, never cached.
    static func error(_ reason: String, _ status: HTTPResponse.Status) -> Response {
        .json(["error": .string(reason)], status: status, headers: JSONHeaders.admin)
    }

    static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> Response {
        .bytes(Array(text.utf8), headers: [.contentType: contentType])
    }

    static func bytes(_ body: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields) -> Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// The headers of JSON responses, built once.
enum JSONHeaders {
    static let contentType = "application/json; charset=utf-8"

    /// For any web page (LUD-01), with the given caching.
    static func payer(caching: CachePolicy) -> HTTPFields {
        [.contentType: contentType, .accessControlAllowOrigin: "*", .cacheControl: caching.header]
    }

    static let admin: HTTPFields = [.contentType: contentType, .cacheControl: CachePolicy.noStore.header]
}

enum CachePolicy: Hashable, Sendable {
    case noStore
    /// For some seconds.
    case maxAge(UInt64)
    /// Forever: it never changes.
    case forever

    var header: String {
        switch self {
        case .noStore, .maxAge(0): "no-store"
        case .maxAge(let seconds): "max-age=\(seconds)"
        case .forever: "max-age=31536000, immutable"
        }
    }
}
