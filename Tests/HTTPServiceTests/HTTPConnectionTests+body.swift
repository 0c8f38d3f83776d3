import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

extension HTTPConnectionTests {
    @Test("Of a body no more is read than its reader takes")
    func body() throws {
        let (never, kept) = AsyncStream<Void>.makeStream()
        try connect { request in
            for await _ in never { break }
            do {
                for try await _ in request.body {}
            } catch {
                return Response(status: .badRequest)
            }
            return Response(status: .ok)
        }
        send(.POST, end: false)
        for _ in 0..<2 { try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "{"))) }
        let reads = socket.reads
        channel.read()
        #expect(socket.reads == reads)
        kept.yield()
        channel.embeddedEventLoop.run()
        #expect(socket.reads == reads + 1)
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        channel.embeddedEventLoop.run()
        #expect(try heads().map(\.status) == [.ok])
        #expect(channel.isActive)
    }

    @Test("A body whose end arrives with more than its reader has taken leaves the connection open")
    func endBehindFullBody() throws {
        try connect { request in
            var count = 0
            do { for try await part in request.body { count += part.readableBytes } } catch {}
            return Response(status: count == 4 ? .ok : .badRequest)
        }
        send(.POST, end: false)
        let pipeline = channel.pipeline.syncOperations
        for _ in 0..<4 {
            pipeline.fireChannelRead(NIOAny(HTTPServerRequestPart.body(ByteBuffer(string: "{"))))
        }
        pipeline.fireChannelRead(NIOAny(HTTPServerRequestPart.end(nil)))
        pipeline.fireChannelReadComplete()
        channel.embeddedEventLoop.run()
        #expect(try heads().map(\.status) == [.ok])
        let reads = socket.reads
        channel.read()
        #expect(socket.reads == reads + 1)
        send()
        #expect(try heads().count == 1)
    }

    @Test("A response that needs no body of its request leaves the connection if the body came with the head")
    func unneeded() throws {
        try connect { _ in Response(status: .ok) }
        send(.POST, body: "{}")
        #expect(try heads().map { $0.headers["connection"] } == [[]])
        send()
        #expect(try heads().count == 1)
    }

    @Test("A response before the end of its request ends it; what still arrives is discarded for two seconds")
    func early() throws {
        let (refusing, refuses) = AsyncStream<Void>.makeStream()
        try connect { _ in
            for await _ in refusing { break }
            return Response(status: .ok)
        }
        // More than is read ahead.
        send(.POST, body: "{", end: false)
        for _ in 0..<2 { try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "{"))) }
        refuses.yield()
        channel.embeddedEventLoop.run()
        let head = try #require(try heads().first)
        #expect(head.headers["connection"] == ["close"])
        #expect(channel.isActive)
        for _ in 0..<3 {
            let reads = socket.reads
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "{")))
            channel.read()
            #expect(socket.reads > reads)
        }
        send()
        #expect(try heads().isEmpty)
        pass(2)
        #expect(!channel.isActive)
    }

    @Test("Of a request that does not fit as a whole the body is missing; nothing is answered after it")
    func cut() throws {
        let (never, kept) = AsyncStream<Void>.makeStream()
        try connect { request in
            if request.uri.path == "/wait" { for await _ in never { break } }
            do {
                for try await _ in request.body {}
            } catch {
                return Response(status: .badRequest)
            }
            return Response(status: .ok)
        }
        socket.isFull = true
        send()
        // With a body it has an odd number of parts, so that of another one only the head fits.
        send(.POST, body: "{}")
        for _ in 0..<126 { send() }
        send(.POST, "/wait", body: "{}")
        socket.isFull = false
        socket.waiting.removeFirst().succeed()
        channel.embeddedEventLoop.run()
        send()
        kept.yield()
        channel.embeddedEventLoop.run()
        let heads = try heads()
        #expect(heads.map(\.status) == Array(repeating: .ok, count: 128) + [.badRequest])
        #expect(heads.last?.headers["connection"] == ["close"])
    }

    /// Answers once the reader may go on: how many bytes it has read, and whether there were more.
    private func connectReader() throws -> AsyncStream<Void>.Continuation {
        let (never, kept) = AsyncStream<Void>.makeStream()
        try connect { request in
            if request.uri.path == "/wait" { for await _ in never { break } }
            var count = 0
            do {
                for try await part in request.body { count += part.readableBytes }
            } catch {
                return Response(status: .badRequest, headers: [.age: "\(count)"])
            }
            return Response(status: .ok, headers: [.age: "\(count)"])
        }
        return kept
    }

    @Test("Of a body that is not read 512 KiB more than the longest wait, whatever the system has received")
    func unreadBody() throws {
        let kept = try connectReader()
        send(.POST, "/wait", end: false)
        for _ in 0..<100 {
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 0x20, count: 16 << 10)))
        }
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        kept.yield()
        channel.embeddedEventLoop.run()
        let head = try #require(try heads().first)
        #expect(head.status == .badRequest && head.headers["age"] == ["\((512 + 16 + 16) << 10)"])
    }

    @Test("Requests behind one whose answer is not taken wait in 512 KiB more than the longest body, with their heads")
    func unreadHeads() throws {
        try connect { _ in Response(status: .ok) }
        socket.isFull = true
        send()
        let fields = HTTPHeaders((0..<1_000).map { ("a\($0)", "") })
        for _ in 0..<100 { send(.GET, "/" + String(repeating: "x", count: 16 << 10), headers: fields) }
        socket.isFull = false
        socket.waiting.removeFirst().succeed()
        channel.embeddedEventLoop.run()
        // Each of them takes 84 KiB, of which the fields' memory is the most.
        #expect(try heads().count == 7)
    }

    @Test("A body of any length is read as it comes, and so are many over one connection", arguments: [1, 100])
    func longBody(requests: Int) throws {
        _ = try connectReader()
        for number in 1...requests {
            send(.POST, end: false)
            for _ in 0..<100 / requests {
                try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 0x20, count: 16 << 10)))
                channel.embeddedEventLoop.run()
            }
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
            channel.embeddedEventLoop.run()
            let head = try #require(try heads().first)
            #expect(head.status == .ok && head.headers["age"] == ["\((100 / requests) << 14)"], "\(number)")
        }
        #expect(channel.isActive)
    }

    @Test("A body of a thousand small parts that come at once is read to its end")
    func smallParts() throws {
        let kept = try connectReader()
        send(.POST, "/wait", end: false)
        let pipeline = channel.pipeline.syncOperations
        for _ in 0..<1_000 {
            pipeline.fireChannelRead(NIOAny(HTTPServerRequestPart.body(ByteBuffer(string: "{"))))
        }
        pipeline.fireChannelRead(NIOAny(HTTPServerRequestPart.end(nil)))
        pipeline.fireChannelReadComplete()
        kept.yield()
        channel.embeddedEventLoop.run()
        let head = try #require(try heads().first)
        #expect(head.status == .ok && head.headers["age"] == ["1000"])
        #expect(channel.isActive)
    }
}
