import LightningCoding
import Platform
import LoopbackServer
import Waiting

/// The reply channel of an LNURL service: takes replies in, and tells which came where.
final class ReplySink: Sendable {
    private let server: LoopbackServer
    private let replies: Guarded<[String: [LoopbackRequest]]>

    /// - Parameter status: what is answered to a reply.
    init(status: Int = 200) throws {
        let replies = Guarded<[String: [LoopbackRequest]]>([:])
        self.replies = replies
        server = try LoopbackServer { request in
            replies.withLock { $0[request.path, default: []].append(request) }
            return LoopbackAnswer(status: status, "")
        }
    }

    /// Where a reply can be posted.
    func url(_ id: String) -> String { "http://127.0.0.1:\(server.port)/response/\(id)" }

    /// How many replies came altogether.
    var count: Int { replies.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// The replies with that id so far.
    func replies(_ id: String) -> [LoopbackRequest] { replies.withLock { $0["/response/\(id)"] ?? [] } }

    /// The first reply with that id, as soon as it is there.
    func reply(_ id: String) async throws -> LoopbackRequest {
        try await eventually { !replies(id).isEmpty }
        return replies(id)[0]
    }
}
