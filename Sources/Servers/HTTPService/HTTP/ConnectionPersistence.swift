import NIOCore
import NIOHTTP1

/// Decides with each response whether the connection persists (RFC 9112, 9.3), and closes it when it does not.
///
/// It closes when the client asks for it, when HTTP/1.0 does not ask for keep-alive, and when a response is sent before
/// its request was read: the rest of that body is useless, and the client chooses its length; and when the service is
/// about to stop. What arrives after the
/// last response is discarded for a moment before closing: an immediate close could reset the connection before a
/// client that is still sending has read the response.
final class ConnectionPersistence: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case open
        /// The response being written is the last.
        case lastAnswer
        /// The last response is written.
        case ended
    }

    /// What a response needs to know of its request.
    private struct Asked {
        let isKeepAlive: Bool
        let version: HTTPVersion
    }

    private let linger: TimeAmount
    private let isStopping: @Sendable () -> Bool
    private var state = State.open
    /// The requests whose responses have not begun, oldest first.
    private var unanswered: CircularBuffer<Asked> = []
    private var isReading = false
    private var closing: Scheduled<Void>?

    init(linger: TimeAmount, isStopping: @escaping @Sendable () -> Bool = { false }) {
        self.linger = linger
        self.isStopping = isStopping
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
        if asked?.isKeepAlive != true || isCutShort || !head.isKeepAlive || isStopping() {
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
