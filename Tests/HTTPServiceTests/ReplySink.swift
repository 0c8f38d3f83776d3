import Platform
import LoopbackServer
import Waiting

/// The reply endpoint of an LNURL service: records the replies by path.
final class ReplySink: Sendable {
    private let server: LoopbackServer
    private let replies: Guarded<[String: [LoopbackRequest]]>

    /// - Parameter status: the response to a reply.
    init(status: Int = 200) throws {
        let replies = Guarded<[String: [LoopbackRequest]]>([:])
        self.replies = replies
        server = try LoopbackServer { request in
            replies.withLock { $0[request.path, default: []].append(request) }
            return LoopbackAnswer(status: status, "")
        }
    }

    /// The reply URL for an id.
    func url(_ id: String) -> String { "http://127.0.0.1:\(server.port)/response/\(id)" }

    /// The total number of replies.
    var count: Int { replies.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// The replies so far with that id.
    func replies(_ id: String) -> [LoopbackRequest] { replies.withLock { $0["/response/\(id)"] ?? [] } }

    /// Waits for the first reply with that id.
    func reply(_ id: String) async throws -> LoopbackRequest {
        try await eventually { !replies(id).isEmpty }
        return replies(id)[0]
    }
}
