import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTPService

@Suite("The time of a request", .timeLimit(.minutes(1)))
struct RequestDeadlineTests {
    private let channel = EmbeddedChannel(handler: RequestDeadline(limit: .seconds(10)))

    init() throws {
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let request = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/")
        try channel.writeInbound(HTTPRequestPart.head(request))
        try channel.writeInbound(HTTPRequestPart.end(nil))
    }

    private func answer(_ type: String) throws {
        try channel.writeOutbound(
            HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: [.contentType: type])))
    }

    private func write() throws {
        try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: ":\n\n")))
    }

    private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    @Test("A response that has not ended in time ends its connection, however much of it was taken")
    func slow() throws {
        try answer("application/json")
        pass(9)
        try write()
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("A stream of events lasts as long as what is sent is taken, and then for the time of a request")
    func stream() throws {
        try answer("text/event-stream")
        for _ in 0..<20 {
            pass(9)
            try write()
        }
        pass(9)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("After the end of a response nothing is timed until the next request")
    func ended() throws {
        try answer("text/event-stream")
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        pass(100)
        #expect(channel.isActive)
    }
}
