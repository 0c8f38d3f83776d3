import HTTPTypes
import Hummingbird
import LightningCoding
import LightningCrypto
import Logging
import NIOCore
import Platform
import ServiceLifecycle

/// Waits on a local port for one reply, like an LNURL service at its reply URL.
struct ReplyListener: Sendable {
    let url: HTTPURL
    private let replies: AsyncStream<ReceivedReply>
    private let server: ServiceGroup
    private let running: Task<Void, any Error>

    /// Listens on 127.0.0.1, on a free port for 0.
    init(port: UInt16) async throws(ToolFault) {
        let number = try rethrowing(
            SystemRandom.bytes(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }, as: ToolFault.noRandomness)
        let (replies, received) = AsyncStream.makeStream(of: ReceivedReply.self)
        let router = Router()
        router.post("/response/\(number)") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            received.yield(
                ReceivedReply(
                    contentType: request.headers[.contentType], cacheControl: request.headers[.cacheControl],
                    body: Array(body.readableBytesView)))
            return HTTPResponse.Status.ok
        }
        let (ports, opened) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "lnurl") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: Int(port))),
            onServerRunning: { channel in if let port = channel.localAddress?.port { opened.yield(port) } },
            logger: logger)
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(1)
        let server = ServiceGroup(configuration: configuration)
        running = Task {
            defer { opened.finish() }
            try await server.run()
        }
        let chosen = await ports.first { _ in true }
        guard let chosen, let url = try? HTTPURL("http://127.0.0.1:\(chosen)/response/\(number)") else {
            throw .cannotListen(port: port)
        }
        self.url = url
        self.replies = replies
        self.server = server
    }

    /// The reply, once its sender has been answered; nil when the task is canceled first. Posts to other paths get 404.
    func reply() async -> ReceivedReply? {
        let reply = await replies.first { _ in true }
        await server.triggerGracefulShutdown()
        _ = await running.result
        return reply
    }
}

struct ReceivedReply {
    let contentType: String?
    let cacheControl: String?
    let body: [UInt8]
    let arrivedAt = MonotonicTime.now

    /// For how many seconds the reply may be cached: the first `max-age`, as breez-lnurl parses it.
    var maxAge: UInt64? {
        cacheControl?.split(separator: ",").lazy
            .map { $0.filter { $0 != " " } }.first { $0.hasPrefix("max-age=") }
            .flatMap { UInt64($0.dropFirst("max-age=".count)) }
    }
}
