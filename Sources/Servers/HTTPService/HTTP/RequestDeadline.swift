import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request takes too long, from its complete header to the last byte of its response: a slow
/// body, or a response that nobody reads. A stream of events has no end: there each event that is taken counts as progress.
///
/// One timer per connection, rescheduled only when it fires, so that a request costs no more than reading the clock.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: TimeAmount
    private var timer: Scheduled<Void>?
    /// When the unanswered requests began, oldest first; more than one when a client pipelines.
    private var begun: CircularBuffer<NIODeadline> = []

    private var isStream = false

    /// The type of a response without an end.
    static let streamType = "text/event-stream"

    init(limit: TimeAmount) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            let now = context.eventLoop.now
            begun.append(now)
            if timer == nil { setTimer(for: now + limit, context) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            isStream = head.headerFields[.contentType] == Self.streamType
            context.write(data, promise: promise)
        case .body where !isStream: context.write(data, promise: promise)
        case .body: write(data, promise, context) { $0.begun[$0.begun.startIndex] = $1 }
        // A response ends when the socket has taken it, not when it is queued.
        case .end: write(data, promise, context) { handler, _ in handler.begun.removeFirst() }
        }
    }

    /// Writes a part, and notes when the socket has taken it.
    private func write(
        _ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext,
        _ note: @escaping @Sendable (RequestDeadline, NIODeadline) -> Void
    ) {
        let written = promise ?? context.eventLoop.makePromise()
        let (loopBound, loop) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.eventLoop)
        written.futureResult.whenComplete { _ in
            if !loopBound.value.begun.isEmpty { note(loopBound.value, loop.now) }
        }
        context.write(data, promise: written)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    private func setTimer(for deadline: NIODeadline, _ context: ChannelHandlerContext) {
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = loopBound.value
            handler.timerFired(context)
        }
    }

    private func timerFired(_ context: ChannelHandlerContext) {
        timer = nil
        guard let oldest = begun.first else { return }
        if oldest + limit <= context.eventLoop.now {
            context.close(promise: nil)
        } else {
            setTimer(for: oldest + limit, context)
        }
    }
}
