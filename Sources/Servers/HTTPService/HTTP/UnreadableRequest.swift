import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
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
        head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: status.code),
            headers: HTTPHeaders(headers)
        )
        self.counter = counter
    }
}

/// Answers bytes that are not an HTTP request, after the responses to the requests before them, then closes the
/// connection. A request with several `Host` fields is none (RFC 9112, 3.2), and gets 400.
final class UnreadableRequest: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case readable, unreadable, answered
    }

    private let body: ByteBuffer
    private let counter: Counter
    private var head: HTTPResponseHead
    private var state = State.readable
    /// The requests whose responses have not ended.
    private var unanswered = 0
    private var isReading = false
    private var isAnswering = false

    init(answer: UnreadableAnswer) {
        (head, body, counter) = (answer.head, answer.body, answer.counter)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state == .readable else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            unanswered += 1
            isReading = true
            guard request.headers["host"].count <= 1 else {
                head.status = .badRequest
                return refuse(context)
            }
        case .body: break
        case .end: isReading = false
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else {
            context.fireErrorCaught(error)
            return
        }
        guard state == .readable else { return }
        refuse(context)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        state = .unreadable
        counter.increment()
        answerWhenDue(context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        switch unwrapOutboundIn(data) {
        case .head(let head): isAnswering = head.status.code >= 200
        case .body: break
        case .end:
            isAnswering = false
            unanswered -= 1
            answerWhenDue(context)
        }
    }

    /// A request whose body becomes unreadable is answered here instead of by its route.
    private func answerWhenDue(_ context: ChannelHandlerContext) {
        guard state == .unreadable, !isAnswering, unanswered == (isReading ? 1 : 0) else { return }
        state = .answered
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
