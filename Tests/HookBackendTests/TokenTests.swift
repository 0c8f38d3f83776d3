import LightningCoding
import LoopbackServer
import Platform
import ResponderModel
import TemporaryFolders
import Testing
@testable import HookBackend

@Suite("The token for a hook", .timeLimit(.minutes(5)))
struct TokenTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/hook.token" }

    /// A service that answers whoever has this token.
    private func service(accepting token: Guarded<String>) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard request.header("authorization") == "Bearer " + token.withLock({ $0 }) else {
                return LoopbackAnswer(status: 401, "")
            }
            return LoopbackAnswer(#"{"minimum":1000,"maximum":2000}"#)
        }
    }

    private func fault(_ node: HookedNode) async -> BackendFault? {
        do {
            _ = try await node.limits()
            return nil
        } catch {
            return error
        }
    }

    @Test("It is read when it is needed, and again when it is not accepted")
    func readAgain() async throws {
        let accepted = Guarded("first")
        let server = try service(accepting: accepted)
        let node = try HookedNode(at: .service(HTTPURL("http://127.0.0.1:\(server.port)/hook"), tokenPath: path))
        #expect(await fault(node) == .refused("the token file \(path): no such file"))
        try writeFile("first\n".utf8, to: path, mode: 0o640)
        #expect(
            await fault(node)
                == .refused("the token file \(path): it is accessible to others (mode 640); it must be 600"))
        try writeFile("first\n".utf8, to: path)
        #expect(await fault(node) == nil)
        accepted.withLock { $0 = "second" }
        try writeFile("second".utf8, to: path)
        #expect(await fault(node) == .refused("status 401"))
        #expect(await fault(node) == nil)
        try writeFile("sec\u{1}ond".utf8, to: path)
        accepted.withLock { $0 = "third" }
        #expect(await fault(node) == .refused("status 401"))
        #expect(await fault(node) == .refused("the token file \(path) holds no token"))
    }

    @Test("It does not travel in the open; without one any URL will do")
    func safeWay() throws {
        let open = try HTTPURL("http://10.0.0.1/hook")
        #expect(
            throws: BackendFault.refused(
                "the URL must begin with https, or lead to this machine or an onion service")
        ) { try HookedNode(at: .service(open, tokenPath: path)) }
        _ = try HookedNode(at: .service(open))
        _ = try HookedNode(at: .service(HTTPURL("https://10.0.0.1/hook"), tokenPath: path))
    }

    @Test("The secret of events that cannot be read is told at the start")
    func webhookSecret() throws {
        #expect(throws: BackendFault.refused("the webhook secret file /none: no such file")) {
            try HookedNode(at: .service(HTTPURL("http://127.0.0.1:1/")), events: ("/none", { UnixTime(0) }))
        }
    }
}
