import CoreMetrics
import Hummingbird
import LightningCoding
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Platform
import Testing

@testable import HTTPService

@Suite("A connection", .timeLimit(.minutes(5)))
struct HTTPConnectionTests {
    /// Stands between the connection and its socket.
    final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart

        var reads = 0
        /// Whether what is written waits to be taken.
        var isFull = false
        var waiting: [EventLoopPromise<Void>] = []

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }

        /// An embedded channel would close as a whole.
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard isFull, let promise else { return context.write(data, promise: promise) }
            waiting.append(promise)
            context.write(data, promise: nil)
        }
    }

    let channel = EmbeddedChannel()
    let socket = Socket()

    /// A connection that waits 10 seconds for a request, and 30 for its response.
    ///
    /// - Parameter decoding: whether bytes are sent, not parts.
    func connect(
        decoding: Bool = false, _ sockets: ClientSockets? = nil,
        _ answer: @escaping @Sendable (Request) async -> Response
    ) throws {
        let unreadable = UnreadableAnswer(
            [:], status: .ok, headers: [:], counter: Counter(label: "unreadable", factory: NOOPMetricsHandler.instance))
        let settings = HTTPConnection.Settings(
            answer: { request, _ in await answer(request) }, unreadable: unreadable,
            limits: ServiceLimits(headerTime: 10, requestTime: 30), logger: Logger(label: "test"),
            isStopping: { false })
        if decoding {
            try HTTPConnection.begin(on: channel, settings, sockets)
        } else {
            try channel.pipeline.syncOperations.addHandlers(
                socket, HTTPConnection(settings, ClientConnection(channel), channel.eventLoop))
        }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Sends a request at once; without the end of its body, when there is a part of one.
    func send(
        _ method: HTTPMethod = .GET, _ path: String = "/", version: HTTPVersion = .http1_1, headers: HTTPHeaders = [:],
        body: String = "", end: Bool = true
    ) {
        let pipeline = channel.pipeline.syncOperations
        let head = HTTPRequestHead(version: version, method: method, uri: path, headers: headers)
        pipeline.fireChannelRead(NIOAny(HTTPServerRequestPart.head(head)))
        if !body.isEmpty {
            pipeline.fireChannelRead(NIOAny(HTTPServerRequestPart.body(ByteBuffer(string: body))))
        }
        if end { pipeline.fireChannelRead(NIOAny(HTTPServerRequestPart.end(nil))) }
        pipeline.fireChannelReadComplete()
        channel.embeddedEventLoop.run()
    }

    /// The heads of the responses that were written.
    func heads() throws -> [HTTPResponseHead] {
        var heads: [HTTPResponseHead] = []
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            if case .head(let head) = part { heads.append(head) }
        }
        return heads
    }

    private func written() throws -> String {
        var bytes = ByteBuffer()
        while var part = try channel.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&part) }
        return String(buffer: bytes)
    }

    func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    @Test("It waits so long for a request, from its beginning or the end of the last response")
    func idle() throws {
        try connect { _ in Response(status: .ok) }
        pass(9)
        send()
        #expect(try heads().count == 1)
        pass(9)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("A response that does not come in time ends it")
    func slow() throws {
        let (never, kept) = AsyncStream<Void>.makeStream()
        try connect { _ in
            for await _ in never {}
            return Response(status: .ok)
        }
        pass(9)
        send()
        pass(29)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
        kept.finish()
    }

    @Test("A response that the socket does not take in time ends it")
    func untaken() throws {
        try connect { _ in Response(status: .ok) }
        socket.isFull = true
        send()
        pass(29)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
        for promise in socket.waiting { promise.fail(ChannelError.ioOnClosedChannel) }
    }

    @Test("A stream of events lasts as long as what is sent is taken, and then for the time of a request")
    func stream() throws {
        let (events, source) = AsyncStream<ByteBuffer>.makeStream()
        try connect { _ in
            Response(
                status: .ok, headers: [.contentType: "text/event-stream"], body: ResponseBody(asyncSequence: events))
        }
        send()
        for _ in 0..<20 {
            pass(29)
            source.yield(ByteBuffer(string: ":\n\n"))
            channel.embeddedEventLoop.run()
        }
        #expect(try heads().first?.headers["connection"] == ["close"])
        pass(29)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("The next request begins when the socket has taken the response to the one before")
    func pipelining() throws {
        let paths = Guarded<[String]>([])
        try connect { request in
            paths.withLock { $0.append(request.uri.path) }
            return Response(status: .ok)
        }
        socket.isFull = true
        for number in 1...3 { send(.GET, "/\(number)") }
        #expect(paths.withLock { $0 } == ["/1"])
        let reads = socket.reads
        channel.read()
        #expect(socket.reads == reads)
        socket.waiting.removeFirst().succeed()
        channel.embeddedEventLoop.run()
        #expect(paths.withLock { $0 } == ["/1", "/2"])
        socket.waiting.removeFirst().succeed()
        channel.embeddedEventLoop.run()
        #expect(paths.withLock { $0 } == ["/1", "/2", "/3"])
        #expect(socket.reads == reads + 1)
    }

    @Test("Of many requests that arrive during an answer, 128 are kept; the connection ends with them")
    func flood() throws {
        try connect { _ in Response(status: .ok) }
        socket.isFull = true
        for _ in 0..<50_000 { send() }
        socket.isFull = false
        socket.waiting.removeFirst().succeed()
        channel.embeddedEventLoop.run()
        let heads = try heads()
        #expect(heads.count == 129)
        #expect(heads.map { $0.headers["connection"] } == Array(repeating: [], count: 128) + [["close"]])
    }

    @Test("It has its place until its answer has ended, even when the client has gone before")
    func place() throws {
        let (never, kept) = AsyncStream<Void>.makeStream()
        let sockets = ClientSockets(64, trusting: [])
        try connect(decoding: true, sockets) { _ in
            for await _ in never {}
            return Response(status: .ok)
        }
        // A network has an eighth.
        let other = ClientConnection(EmbeddedChannel())
        let others = try (1...7).map { _ in try sockets.take(for: other) }
        try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        channel.embeddedEventLoop.run()
        try channel.close().wait()
        channel.embeddedEventLoop.run()
        #expect(throws: SharedSlots.Refusal.network) { try sockets.take(for: other) }
        kept.finish()
        channel.embeddedEventLoop.run()
        #expect(throws: Never.self) { try sockets.take(for: other) }
        #expect(others.count == 7)
    }

    @Test("After 64 requests that arrive at once others have their turn")
    func turns() throws {
        try connect { _ in Response(status: .ok) }
        let pipeline = channel.pipeline.syncOperations
        for _ in 0..<100 {
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
            pipeline.fireChannelRead(NIOAny(HTTPServerRequestPart.head(head)))
            pipeline.fireChannelRead(NIOAny(HTTPServerRequestPart.end(nil)))
        }
        var first: [HTTPResponseHead]?
        channel.eventLoop.assumeIsolated().execute { first = try? heads() }
        channel.embeddedEventLoop.run()
        #expect(first?.count == 64)
        #expect(try heads().count == 36)
    }

    @Test("A client that expects it is told to send its body")
    func expectation() throws {
        try connect { request in
            do { for try await _ in request.body {} } catch {}
            return Response(status: .ok)
        }
        send(.POST, headers: ["Expect": "100-Continue"], end: false)
        #expect(try heads().map(\.status) == [.continue])
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        channel.embeddedEventLoop.run()
        #expect(try heads().map(\.status) == [.ok])
        send(.POST, headers: ["Expect": "200-ok"], end: false)
        #expect(try heads().isEmpty)
    }

    @Test("A client of HTTP/1.0 gets no interim response")
    func oldExpectation() throws {
        try connect { request in
            do { for try await _ in request.body {} } catch {}
            return Response(status: .ok)
        }
        send(.POST, version: .http1_0, headers: ["Expect": "100-continue"], end: false)
        #expect(try heads().isEmpty)
    }

    @Test("Bytes that are not a request, however many follow, do not drop the responses before them")
    func unreadable() throws {
        try connect { _ in Response(status: .ok) }
        socket.isFull = true
        send()
        for error in [HTTPParserError.invalidMethod, ChannelError.inputClosed, HTTPParserError.unknown] as [any Error] {
            channel.pipeline.fireErrorCaught(error)
        }
        socket.isFull = false
        #expect(channel.isActive)
        socket.waiting.removeFirst().succeed()
        channel.embeddedEventLoop.run()
        #expect(try heads().count == 2)
    }

    @Test(
        "A request to use another protocol is answered, and ends the connection",
        arguments: ["Connection: upgrade\r\nUpgrade: h2c", "Upgrade: websocket"])
    func upgrade(fields: String) throws {
        try connect(decoding: true) { _ in Response(status: .ok) }
        let request = "GET / HTTP/1.1\r\nHost: example.com\r\n\(fields)\r\n\r\n"
        try channel.writeInbound(ByteBuffer(string: request + "GET /2 HTTP/1.1\r\n\r\n"))
        #expect(try written().hasPrefix("HTTP/1.1 200 OK\r\n"))
        pass(2)
        #expect(!channel.isActive)
    }

    @Test("What follows a request to upgrade is not kept while its answer takes time")
    func upgradeFlood() throws {
        let (never, kept) = AsyncStream<Void>.makeStream()
        try connect(decoding: true) { _ in
            for await _ in never {}
            return Response(status: .ok)
        }
        try channel.writeInbound(
            ByteBuffer(string: "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"))
        for _ in 0..<100 where channel.isActive { try channel.writeInbound(ByteBuffer(repeating: 7, count: 1024)) }
        #expect(!channel.isActive)
        kept.finish()
    }

    @Test("A connection that has closed is released, idle or answering", arguments: [false, true])
    func released(answering: Bool) throws {
        let (never, kept) = AsyncStream<Void>.makeStream()
        try connect { request in
            if request.uri.path == "/wait" { for await _ in never { break } }
            return Response(status: .ok)
        }
        weak let connection = try channel.pipeline.syncOperations.handler(type: HTTPConnection.self)
        send()
        if answering { send(.GET, "/wait") }
        #expect(connection != nil)
        channel.close(promise: nil)
        kept.yield()
        channel.embeddedEventLoop.run()
        #expect(connection == nil)
    }

    @Test("The date of a response is that of its second")
    func date() {
        let date = DateField()
        // RFC 9110, 5.6.7.
        #expect(date.text(at: UnixTime(784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(date.text(at: UnixTime(784_111_778)) == "Sun, 06 Nov 1994 08:49:38 GMT")
    }
}
