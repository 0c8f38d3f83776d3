import NIOCore
import NIOHTTP1

/// Decides with each answer whether the connection lives on (RFC 9112, 9.3), and ends it when it does not.
///
/// It ends when the client wants it to, when HTTP/1.0 does not ask for more, and when an answer comes before its request
/// has been read: what is left of such a body interests nobody, and its length is the client's choice. What still arrives
/// after the last answer is thrown away for a moment, since closing at once would take the answer back from a client
/// that is still sending.
final class ConnectionPersistence: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case open
        /// The answer that is being written is the last.
        case lastAnswer
        /// The last answer is written.
        case ended
    }

    /// What of a request its answer depends on.
    private struct Asked {
        let isKeepAlive: Bool
        let version: HTTPVersion
    }

    private let linger: TimeAmount
    private var state = State.open
    /// The requests whose answers have not begun, oldest first.
    private var unanswered: CircularBuffer<Asked> = []
    /// Whether the last request has not been read to its end.
    private var isReading = false
    private var closing: Scheduled<Void>?

    init(linger: TimeAmount) {
        self.linger = linger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state != .ended else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            unanswered.append(Asked(isKeepAlive: head.isKeepAlive, version: head.version))
            isReading = true
        case .body: break
        case .end: isReading = false
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if state != .ended { context.fireErrorCaught(error) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state != .ended else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code >= 200:
            context.write(wrapOutboundOut(.head(beginAnswer(head))), promise: promise)
        case .end where state == .lastAnswer:
            state = .ended
            let written = promise ?? context.eventLoop.makePromise()
            let loopBound = NIOLoopBound((self, context.channel), eventLoop: context.eventLoop)
            written.futureResult.whenComplete { _ in
                let (handler, channel) = loopBound.value
                handler.close(channel)
            }
            context.write(data, promise: written)
        case .head, .body, .end:
            context.write(data, promise: promise)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        closing?.cancel()
    }

    private func beginAnswer(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        let asked = unanswered.popFirst()
        let isCutShort = isReading && unanswered.isEmpty
        if asked?.isKeepAlive != true || isCutShort || !head.isKeepAlive {
            state = .lastAnswer
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        } else if asked?.version == .http1_0 {
            head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
        }
        return head
    }

    private func close(_ channel: any Channel) {
        guard channel.isActive else { return }
        channel.close(mode: .output, promise: nil)
        closing = channel.eventLoop.scheduleTask(in: linger) { channel.close(promise: nil) }
    }
}
