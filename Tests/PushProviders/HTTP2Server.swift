import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import Platform

/// A strict HTTP/2 server on a free port of 127.0.0.1, without TLS: whoever speaks HTTP/1.1, or opens more streams than it
/// has been allowed, loses the connection.
package final class HTTP2Server: Sendable {
    /// What has happened so far.
    package struct Records: Sendable {
        /// How many connections were made.
        package var connections = 0
        /// How many were closed because of too many streams.
        package var violations = 0
        /// The most streams at once on one connection.
        package var peakStreams = 0
        /// Pings of clients.
        package var pings = 0
    }

    /// The port that the system gave.
    package let port: Int
    private let channel: any Channel
    private let records: Guarded<Records>

    /// What has happened so far.
    package var record: Records { records.withLock { $0 } }

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - streams: how many streams a connection may have until an answer raises the number.
    ///   - answer: answers a request.
    package init(streams: Int, _ answer: @escaping @Sendable (HTTP2Request) -> HTTP2Answer) async throws {
        let records = Guarded(Records())
        self.records = records
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                let number = records.withLock { records in
                    records.connections += 1
                    return records.connections
                }
                let streamLimit = StreamLimit(allowed: streams, channel, records)
                var connection = NIOHTTP2Handler.ConnectionConfiguration()
                connection.initialSettings = [
                    HTTP2Setting(parameter: .maxConcurrentStreams, value: streams),
                    HTTP2Setting(parameter: .maxHeaderListSize, value: 1 << 16),
                ]
                var stream = NIOHTTP2Handler.StreamConfiguration()
                // libcurl resets each stream that it has read. Room for as many is allocated for each connection.
                stream.streamResetFrameRateLimit.maximumCount = 10_000
                return channel.configureHTTP2Pipeline(
                    mode: .server, connectionConfiguration: connection, streamConfiguration: stream
                ) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandler(
                            RequestHandler(connection: number, limit: streamLimit, answer))
                    }
                }.flatMapThrowing { _ in
                    try channel.pipeline.syncOperations.addHandler(FrameCounter(records))
                }
            }
        channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    deinit {
        channel.close(promise: nil)
    }
}

/// A complete request.
package struct HTTP2Request: Sendable {
    /// The number of its connection, from 1.
    package let connection: Int
    /// The method.
    package let method: String
    /// The path with its query.
    package let path: String
    /// The fields; several of one name stay several.
    package let headers: [(name: String, value: String)]
    /// The body.
    package let body: [UInt8]

    /// The value of the only field of that name; nil when there is none or several.
    package func field(_ name: String) -> String? {
        let found = headers.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }
}

/// An answer, and what becomes of its connection.
package struct HTTP2Answer: Sendable {
    /// What becomes of the connection.
    package enum After: Hashable, Sendable {
        /// It stays as it is.
        case nothing
        /// It may have so many streams from now on.
        case streams(Int)
        /// It takes no new streams, and ends when those open are done.
        case goAway
        /// It is closed in the midst of the answer.
        case cut
        /// The answer is never sent.
        case stall
    }

    /// The status.
    package var status: Int
    /// The fields.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: String
    /// What becomes of the connection.
    package var after: After

    /// Creates an answer.
    package init(
        _ status: Int, headers: [(name: String, value: String)] = [], _ body: String = "", after: After = .nothing
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.after = after
    }
}

/// How many streams a connection has; confined to its event loop.
private final class StreamLimit: @unchecked Sendable {
    let channel: any Channel
    private var allowed: Int
    private var open = 0
    private let records: Guarded<HTTP2Server.Records>

    init(allowed: Int, _ channel: any Channel, _ records: Guarded<HTTP2Server.Records>) {
        self.allowed = allowed
        self.channel = channel
        self.records = records
    }

    /// Counts a stream; false when it is one too many, which ends the connection.
    func begin() -> Bool {
        open += 1
        let (open, isTooMany) = (open, open > allowed)
        records.withLock { records in
            records.peakStreams = max(records.peakStreams, open)
            records.violations += isTooMany ? 1 : 0
        }
        if isTooMany { channel.close(promise: nil) }
        return !isTooMany
    }

    func end() { open -= 1 }

    func perform(_ after: HTTP2Answer.After) {
        switch after {
        case .nothing, .stall: break
        case .cut: channel.close(promise: nil)
        case .streams(let count):
            allowed = count
            let settings = [HTTP2Setting(parameter: .maxConcurrentStreams, value: count)]
            channel.writeAndFlush(
                HTTP2Frame(streamID: .rootStream, payload: .settings(.settings(settings))), promise: nil)
        case .goAway:
            let reason = ByteBuffer(string: #"{"reason":"Shutdown"}"#)
            let payload = HTTP2Frame.FramePayload.goAway(
                lastStreamID: .maxID, errorCode: .noError, opaqueData: reason)
            channel.writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: payload), promise: nil)
        }
    }
}

/// Counts pings.
private final class FrameCounter: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private let records: Guarded<HTTP2Server.Records>

    init(_ records: Guarded<HTTP2Server.Records>) { self.records = records }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ping(_, ack: false) = unwrapInboundIn(data).payload { records.withLock { $0.pings += 1 } }
        context.fireChannelRead(data)
    }
}

/// Collects one request and answers it.
private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: Int
    private let limit: StreamLimit
    private let answer: @Sendable (HTTP2Request) -> HTTP2Answer
    private var fields: HPACKHeaders?
    private var body: [UInt8] = []
    private var isCounted = false

    init(connection: Int, limit: StreamLimit, _ answer: @escaping @Sendable (HTTP2Request) -> HTTP2Answer) {
        self.connection = connection
        self.limit = limit
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers):
            isCounted = true
            guard limit.begin() else { return }
            fields = headers.headers
            if headers.endStream { respond(context) }
        case .data(let data):
            if case .byteBuffer(let buffer) = data.data { body += buffer.readableBytesView }
            if data.endStream { respond(context) }
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isCounted { limit.end() }
        context.fireChannelInactive()
    }

    private func respond(_ context: ChannelHandlerContext) {
        guard let fields else { return }
        func value(_ name: String) -> String { fields.first(name: name) ?? "" }
        let request = HTTP2Request(
            connection: connection, method: value(":method"), path: value(":path"),
            headers: fields.filter { !$0.name.hasPrefix(":") }.map { (name: $0.name, value: $0.value) }, body: body)
        let answer = answer(request)
        guard answer.after != .stall else { return }
        if case .streams = answer.after { limit.perform(answer.after) }
        var headers = HPACKHeaders([(":status", String(answer.status))])
        for field in answer.headers { headers.add(name: field.name, value: field.value) }
        // The last frame ends the stream: libcurl 7.88 does not always notice an empty one of its own.
        let isShort = answer.body.isEmpty && answer.after != .cut
        context.write(wrapOutboundOut(.headers(.init(headers: headers, endStream: isShort))), promise: nil)
        if answer.after == .cut {
            context.flush()
            limit.perform(.cut)
            return
        }
        if !isShort {
            let data = IOData.byteBuffer(ByteBuffer(string: answer.body))
            context.write(wrapOutboundOut(.data(.init(data: data, endStream: true))), promise: nil)
        }
        context.flush()
        if answer.after == .goAway { limit.perform(.goAway) }
    }
}
