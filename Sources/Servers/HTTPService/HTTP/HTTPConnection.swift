import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Platform
import ResponderModel

/// Answers the requests of a connection one after the other, and decides when it ends (RFC 9112, 9).
///
/// Everything runs on the thread that reads the connection. Its first answer begins within the read, those after an idle time in
/// the next turn of the event loop. The next request begins when the socket has taken the response to the one before.
///
/// The connection ends with the response when the client asks for it, when HTTP/1.0 does not ask for keep-alive, when its request was
/// not read to the end (the rest is useless, and the client chooses its length), when it is a stream (its end is the client's), and
/// when the service is about to stop. What arrives after the last response is discarded for a moment before closing: an immediate
/// close could reset the connection before a client that is still sending has read the response.
final class HTTPConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What is the same for all connections of a listener.
    struct Settings: Sendable {
        let answer: @Sendable (Request, ServiceContext) async -> Response
        let unreadable: UnreadableAnswer
        let limits: ServiceLimits
        let logger: Logger
        let date = DateField()
        /// Whether every response ends its connection.
        let isStopping: @Sendable () -> Bool
    }

    /// The type of a response without an end.
    static let streamType = "text/event-stream"
    /// How long a connection is read after its last response.
    private static let linger = TimeAmount.seconds(2)
    /// How many requests of a connection are begun before others have their turn.
    private static let mostAtOnce = 64
    /// How many parts of further requests are kept; those that do not fit are not answered.
    private static let mostParts = 256

    private let settings: Settings
    private let client: ClientConnection
    private let executor: EventLoopExecutor
    /// Its place among those of its network, until the last answer has ended, too: whoever hangs up leaves the work.
    private let place: SharedSlots.Slot?
    private var context: ChannelHandlerContext?
    private var exchange: Exchange?
    /// Answers one request after the other: a task of its own for each would begin without memory.
    private var task: Task<Void, Never>?
    /// The request that the task answers next.
    private var next: Question?
    /// What the task waits with for the next request; nil ends it.
    private var idle: UnsafeContinuation<Question?, Never>?
    /// What has arrived behind the request that is being answered.
    private var parts: CircularBuffer<HTTPServerRequestPart> = []
    /// The bytes of bodies that have arrived and wait for their reader, and of further requests: what one read brings, but once the
    /// client has closed its side all that the system has received.
    private var keptBytes = 0
    /// Whether something did not fit: nothing is taken behind what is kept.
    private var isCut = false
    /// The response to bytes that are not a request, once they have arrived; nothing is taken after them.
    private var refusal: HTTPResponseHead?
    private var hasEnded = false
    /// Whether the connection ends with the requests that have arrived.
    private var isClosing = false
    /// Whether the client has closed its side.
    private var isInputClosed = false
    private var isProceeding = false
    /// Requests begun in this turn of the event loop, or since the last that was full.
    private var begunAtOnce = 0
    private var isTurnDue = false
    /// Whether more may come of what was sent at once.
    private var isReading = false
    private var isBodyFull = false
    private var isReadDue = false
    /// When the wait for a request began, or the request.
    private var since = NIODeadline.now()
    private var timer: Scheduled<Void>?

    /// Makes the pipeline of a connection that was accepted, unless its client has as many as it may.
    static func begin(on channel: any Channel, _ settings: Settings, _ sockets: ClientSockets?) throws {
        let client = ClientConnection(channel)
        let place: SharedSlots.Slot?
        do { place = try sockets?.take(for: client) } catch { return channel.close(promise: nil) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = settings.limits.headerField
        limits.maxHeaderListSize = settings.limits.header
        limits.maxHeaderFieldCount = ServiceLimits.headerFields
        // What follows a request to upgrade is not decoded, and would be kept.
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits),
            maximumBufferSize: 2 * BodyBlocks.size)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([
            HTTPResponseEncoder(), decoder, HTTPConnection(settings, client, channel.eventLoop, place),
        ])
    }

    init(
        _ settings: Settings, _ client: ClientConnection, _ eventLoop: any EventLoop, _ place: SharedSlots.Slot? = nil
    ) {
        self.settings = settings
        self.client = client
        self.place = place
        executor = EventLoopExecutor(eventLoop)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        since = context.eventLoop.now
        setTimer(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        client.payer.close()
        hasEnded = true
        exchange?.body?.finish(ChannelError.inputClosed)
        if exchange?.isStream == true { task?.cancel() }
        exchange = nil
        next = nil
        idle.take()?.resume(returning: nil)
        parts.removeAll()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        // With its request it has sent all that it will, but hardly a payer who is still there closes.
        case ChannelEvent.inputClosed:
            client.payer.close()
            if exchange?.isStream == true { task?.cancel() }
            (isInputClosed, isClosing) = (true, true)
            proceed()
        case is ChannelShouldQuiesceEvent:
            isClosing = true
            proceed()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded, refusal == nil, !isCut else { return }
        isReading = true
        let part = unwrapInboundIn(data)
        switch part {
        case .head(let head) where !isTaking: keptBytes += head.memory
        case .body(let bytes): keptBytes += bytes.readableBytes
        case .head, .end: break
        }
        // The longest body of a payer, and more than any other route accepts.
        isCut = parts.count == Self.mostParts || keptBytes > settings.limits.body + (512 << 10)
        if isCut { isClosing = true } else { parts.append(part) }
        proceed()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        proceed()
        context.fireChannelReadComplete()
    }

    /// Bytes that are not a request.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // More bytes of the same kind are other errors.
        guard !hasEnded, refusal == nil else { return }
        guard error is HTTPParserError else { return context.close(promise: nil) }
        refuse(settings.unreadable.head)
        proceed()
    }

    func read(context: ChannelHandlerContext) {
        if hasEnded || parts.isEmpty && !isBodyFull {
            context.read()
        } else {
            isReadDue = true
        }
    }

    /// Takes what has arrived, up to the end of a request that is not answered yet.
    private func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        while !hasEnded, isTaking, let part = parts.popFirst() { take(part) }
        isProceeding = false
        guard let context, !hasEnded else { return }
        if begunAtOnce == Self.mostAtOnce, !isTurnDue {
            isTurnDue = true
            context.eventLoop.assumeIsolated().execute { [self] in
                (begunAtOnce, isTurnDue) = (0, false)
                proceed()
            }
        }
        guard parts.isEmpty else { return }
        if exchange?.waiting == nil, !isBodyFull { keptBytes = 0 }
        if refusal != nil { return answerUnreadable(context) }
        if isClosing, exchange == nil { return context.close(promise: nil) }
        if !isReading, let exchange, exchange.waiting != nil {
            let (body, source) = RequestBodyStream.make(NIOLoopBound(self, eventLoop: context.eventLoop))
            exchange.body = source
            isBodyFull = exchange.bytes.readableBytes > 0 && source.yield(exchange.bytes) == .stopProducing
            if exchange.expectsContinue {
                context.writeAndFlush(wrapOutboundOut(.head(.init(version: .http1_1, status: .continue))), promise: nil)
            }
            answer(exchange, body)
        }
        if isCut, let exchange, !exchange.isRead { exchange.body?.finish(ChannelError.inputClosed) }
        if isReadDue, !isBodyFull {
            isReadDue = false
            context.read()
        }
    }

    private var isTaking: Bool {
        if let exchange { !exchange.isRead } else { begunAtOnce < Self.mostAtOnce }
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): begin(head)
        case .body(var bytes):
            if let body = exchange?.body {
                if body.yield(bytes) == .stopProducing { isBodyFull = true }
            } else if let exchange, exchange.waiting != nil {
                exchange.bytes.writeBuffer(&bytes)
            }
        case .end:
            guard let exchange else { return }
            exchange.isRead = true
            exchange.body?.finish()
            isBodyFull = false
            if exchange.waiting != nil { answer(exchange, RequestBody(buffer: exchange.bytes)) }
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        since = context?.eventLoop.now ?? since
        // A request with several `Host` fields is none (RFC 9112, 3.2).
        guard let request = HTTPRequest(head) else {
            var head = settings.unreadable.head
            head.status = .badRequest
            parts.removeAll()
            return refuse(head)
        }
        exchange = Exchange(request, head, over: self)
        begunAtOnce += 1
    }

    private func answer(_ exchange: Exchange, _ body: RequestBody) {
        guard let context, let head = exchange.waiting else { return }
        exchange.waiting = nil
        next = Question(
            request: Request(head: head, body: body), context: ServiceContext(context.channel, client, settings.logger),
            exchange: NIOLoopBound(exchange, eventLoop: context.eventLoop))
        if let idle = idle.take() { return idle.resume(returning: next.take()) }
        guard task == nil else { return }
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        task = Task.immediate(executorPreference: executor) { [answer = settings.answer] in
            while let question = await connection.value.nextQuestion() {
                let response = await answer(question.request, question.context)
                guard connection.value.begin(response, to: question.exchange.value) else { continue }
                do {
                    try await response.body.write(ResponseWriter(exchange: question.exchange))
                } catch {
                    connection.value.context?.close(promise: nil)
                }
            }
        }
    }

    /// - Returns: nil once the connection has ended.
    private func nextQuestion() async -> Question? {
        if let question = next.take() { return question }
        guard context != nil, !hasEnded else { return nil }
        return await withUnsafeContinuation { idle = $0 }
    }

    /// - Returns: false when the connection has ended, or the request was answered otherwise.
    private func begin(_ response: Response, to exchange: Exchange) -> Bool {
        guard let context, self.exchange === exchange else { return false }
        exchange.hasBegun = true
        exchange.isStream = response.body.contentLength == nil && response.headers[.contentType] == Self.streamType
        exchange.isLast =
            exchange.isStream || !exchange.isKeepAlive || !exchange.isRead || settings.isStopping()
            || isClosing && parts.isEmpty
        var head = HTTPResponseHead(response.head)
        head.headers.add(name: "Date", value: settings.date.text())
        if exchange.isLast {
            head.headers.add(name: "Connection", value: "close")
        } else if exchange.version == .http1_0 {
            head.headers.add(name: "Connection", value: "keep-alive")
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        return true
    }

    private struct ResponseWriter: ResponseBodyWriter {
        let exchange: NIOLoopBound<Exchange>

        func write(_ buffer: ByteBuffer) async throws {
            try await exchange.value.connection.write(buffer, of: exchange.value)
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
            exchange.value.connection.end(exchange.value)
        }
    }

    private func write(_ bytes: ByteBuffer, of exchange: Exchange) async throws {
        guard let context, self.exchange === exchange, !(exchange.isStream && isInputClosed) else {
            throw ChannelError.ioOnClosedChannel
        }
        let part = wrapOutboundOut(.body(.byteBuffer(bytes)))
        guard exchange.isStream else { return context.write(part, promise: nil) }
        try await context.writeAndFlush(part).get()
        // What is taken counts as progress.
        since = executor.eventLoop.now
    }

    /// A response ends when the socket has taken it, not when it is queued.
    private func end(_ exchange: Exchange) {
        guard let context, self.exchange === exchange else { return }
        let taken = context.eventLoop.makePromise(of: Void.self)
        taken.futureResult.assumeIsolated().whenComplete { [self] result in
            guard self.exchange === exchange, case .success = result else { return }
            self.exchange = nil
            since = context.eventLoop.now
            if exchange.isLast { endConnection(context) } else { proceed() }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: taken)
    }

    private func refuse(_ head: HTTPResponseHead) {
        refusal = head
        settings.unreadable.counter.increment()
    }

    /// Answers bytes that are not a request, after the responses to the requests before it. A request whose body becomes unreadable is
    /// answered here instead of by its route.
    private func answerUnreadable(_ context: ChannelHandlerContext) {
        if let exchange {
            guard !exchange.isRead else { return }
            exchange.body?.finish(ChannelError.inputClosed)
            exchange.isLast = true
            guard !exchange.hasBegun else { return }
        }
        guard let head = refusal else { return }
        exchange = nil
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(settings.unreadable.body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        endConnection(context)
    }

    private func endConnection(_ context: ChannelHandlerContext) {
        hasEnded = true
        parts.removeAll()
        timer?.cancel()
        context.close(mode: .output, promise: nil)
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.linger) { context.close(promise: nil) }
        // What is still being sent is read, and discarded.
        if isReadDue { context.read() }
    }

    /// Looks again after the shorter limit at the latest, so that a wait that begins meanwhile ends in time.
    private func setTimer(_ context: ChannelHandlerContext) {
        let (header, request) = (
            TimeAmount.seconds(Int64(clamping: settings.limits.headerTime)),
            TimeAmount.seconds(Int64(clamping: settings.limits.requestTime))
        )
        let now = context.eventLoop.now
        let end = since + (exchange == nil ? header : request)
        guard now < end else { return context.close(promise: nil) }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: min(end, now + min(header, request))) {
            [self] in setTimer(context)
        }
    }

    /// The reader of a body wants more of it.
    func wantBody() {
        isBodyFull = false
        proceed()
    }
}
