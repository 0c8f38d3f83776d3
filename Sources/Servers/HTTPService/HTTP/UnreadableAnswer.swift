import CoreMetrics
import HTTPTypes
import LightningCoding
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The response to bytes that are not an HTTP request: a raw space or letter in a target, a header over the limits, an
/// unknown method. The intended path is unknown.
struct UnreadableAnswer: Sendable {
    let head: HTTPResponseHead
    let body: ByteBuffer
    let counter: Counter

    init(_ json: JSONValue, status: HTTPResponse.Status, headers: HTTPFields, counter: Counter) {
        body = ByteBuffer(bytes: json.serializedBytes())
        var headers = headers
        headers[.contentLength] = String(body.readableBytes)
        headers[.connection] = "close"
        head = HTTPResponseHead(HTTPResponse(status: status, headerFields: headers))
        self.counter = counter
    }
}
