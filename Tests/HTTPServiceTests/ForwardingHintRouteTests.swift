import HTTPTypes
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing
@testable import HTTPService

@Suite("The forwarding hint", .timeLimit(.minutes(5)))
struct ForwardingHintRouteTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private let service: TestService
    private let recipient: PublicKey

    init() async throws {
        service = try await TestService()
        recipient = try SecretKey([UInt8](repeating: 0x22, count: 32)).publicKey
    }

    /// A node that answers the same about everybody.
    private struct Node: ForwardingNode {
        let answer: Result<ForwardingPeer?, BackendFault>

        init(_ answer: Result<ForwardingPeer?, BackendFault>) { self.answer = answer }

        init(isConnected: Bool, sendable: UInt64) {
            let channel = ForwardingPeer.Channel(isEnabled: isConnected, sendable: Millisatoshi(sendable))
            answer = .success(ForwardingPeer(isConnected: isConnected, channels: [channel]))
        }

        func forwardingPeer(_ key: PublicKey) async throws(BackendFault) -> ForwardingPeer? { try answer.get() }
    }

    private func ask(
        _ query: String? = nil, of nodes: [Node] = [], token: String? = secret
    ) async throws -> Answer {
        let hints = ForwardingHints(of: nodes, for: BearerToken(Self.secret.utf8))
        let router = service.router(hints)
        let query = query ?? "recipient=\(recipient.hexadecimal)&amount_msat=1000"
        let headers: HTTPFields = token.map { [.authorization: "Bearer \($0)"] } ?? [:]
        return try await Answer(router, "/lsp/forwarding_hint?\(query)", .get, headers, "")
    }

    @Test("What the node knows of the recipient decides")
    func hints() async throws {
        let cases: [(Node, String)] = [
            (
                Node(isConnected: true, sendable: 1000),
                #"{"hint":"retry_now","reason":"unknown","recommended_delay_ms":0}"#
            ),
            (
                Node(isConnected: false, sendable: 1000),
                #"{"hint":"retry_later","reason":"disconnected","recommended_delay_ms":1000}"#
            ),
            (
                Node(isConnected: true, sendable: 999),
                #"{"hint":"do_not_retry","reason":"insufficient_liquidity","recommended_delay_ms":0}"#
            ),
            (Node(.success(nil)), #"{"hint":"do_not_retry","reason":"unknown","recommended_delay_ms":0}"#),
        ]
        for (node, body) in cases {
            let answer = try await ask(of: [node])
            #expect(answer.status == 200)
            #expect(answer.body == body)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test("Of several nodes the best counts, and one that fails says nothing; when all fail there is no hint")
    func several() async throws {
        let (off, short, stranger) = (
            Node(isConnected: false, sendable: 1000), Node(isConnected: true, sendable: 1), Node(.success(nil))
        )
        let down = Node(.failure(.unreachable("no route")))
        #expect(try await ask(of: [stranger, short]).json()["reason"] == "insufficient_liquidity")
        #expect(try await ask(of: [short, off, down]).json()["hint"] == "retry_later")
        #expect(try await ask(of: [off, Node(isConnected: true, sendable: 1000)]).json()["hint"] == "retry_now")
        let failed = try await ask(of: [down, down])
        #expect(failed.status == 503)
        #expect(failed.body == #"{"error":"unavailable","message":"no node answers now"}"#)
    }

    @Test("Only who shows the token is answered", arguments: [nil, "", secret + "0", String(secret.dropLast()), "x"])
    func token(_ token: String?) async throws {
        let answer = try await ask(of: [Node(isConnected: true, sendable: 1000)], token: token)
        #expect(answer.status == 401)
        #expect(answer.headers[.wwwAuthenticate] == "Bearer")
        #expect(!answer.body.contains("retry"))
    }

    @Test(
        "A question without a recipient or an amount, or with two, is refused",
        arguments: [
            "amount_msat=1000", "recipient=02ff&amount_msat=1000", "recipient=KEY", "recipient=KEY&amount_msat=0",
            "recipient=KEY&amount_msat=-1", "recipient=KEY&amount_msat=2100000000000000001",
            "recipient=KEY&amount_msat=99999999999999999999", "recipient=KEY&recipient=KEY&amount_msat=1",
            "recipient=KEY&amount_msat=1&amount_msat=2", "recipient=%ff&amount_msat=1",
        ])
    func malformed(query: String) async throws {
        let query = query.replacing("KEY", with: recipient.hexadecimal)
        let answer = try await ask(query, of: [Node(isConnected: true, sendable: 1000)])
        #expect(answer.status == 400)
        #expect(try answer.json()["error"] == "invalid_request")
    }

    @Test("Who asks too often waits, with the token and without")
    func rates() async throws {
        let hints = ForwardingHints(of: [Node(isConnected: true, sendable: 1000)], for: BearerToken(Self.secret.utf8))
        let rates = ServiceRates([.forwardingHint: RateLimit(burst: 2, interval: .seconds(3600))])
        try await RunningService.with(rates: rates, existing: service, features: [hints]) { _, address, _, _ in
            var statuses: [String] = []
            for token in [Self.secret, "guess", Self.secret] {
                let connection = try RawConnection(to: address)
                connection.send(
                    "GET /lsp/forwarding_hint?recipient=\(recipient.hexadecimal)&amount_msat=1000 HTTP/1.1\r\n"
                        + "Host: x\r\nAuthorization: Bearer \(token)\r\nConnection: close\r\n\r\n")
                statuses.append(String(try await connection.readToEnd().prefix(12).suffix(3)))
            }
            #expect(statuses == ["200", "401", "429"])
        }
    }

    @Test("Where nobody may ask there is no such route")
    func off() async throws {
        let answer = try await service.ask("/lsp/forwarding_hint?recipient=\(recipient.hexadecimal)&amount_msat=1000")
        #expect(answer.status == 404)
    }
}
