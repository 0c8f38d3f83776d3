import ResponderModel
import Dispatch
import Glibc
import LightningCoding
import Platform
import LoopbackServer
import FakeNode
import TemporaryFolders

@testable import CoreLightning

/// A fake node with its socket and clnrest, which can be stopped, restarted, and made to hold responses back.
final class NodeFixture: Sendable {
    struct Held: Sendable {
        let method: String
        let perform: @Sendable () -> Void
    }

    private struct Served: Sendable {
        var socket: LoopbackServer?
        var connections: [LoopbackConnection] = []
        var held: [Held] = []
        var holding: Set<String> = []
    }

    static let rune = "zm0x_eLgHexaTvZn3Cz7gb_YlvrlYGDo_w4BYlR9SS09MSZtZXRob2RebGlzdHxtZXRob2Q="

    let lightningd: Lightningd
    let folder = TemporaryFolder()
    /// clnrest, in any mode.
    let rest: FakeHTTPServer
    /// The rune that clnrest accepts.
    let acceptedRune = Guarded(NodeFixture.rune)
    /// The commands that the rune allows; nil for all.
    let allowed = Guarded<Set<String>?>(nil)
    private let served = Guarded(Served())

    init() throws {
        lightningd = try Lightningd()
        rest = try FakeHTTPServer()
        rest.serve { [weak self] in self?.answer($0, over: $1) }
        try writeFile(Array((Self.rune + "\n").utf8), to: runePath)
        try start()
    }

    var socketPath: String { folder.path + "/lightning-rpc" }

    /// The file with the rune.
    var runePath: String { folder.path + "/rune" }

    /// How many commands are held back.
    var heldCount: Int { served.withLock { $0.held.count } }

    func start() throws {
        let socket = try LoopbackServer(path: socketPath) { [weak self] in self?.serve($0) }
        served.withLock { $0.socket = socket }
        rest.mode = .well
    }

    /// Stops the node: removes the socket, and makes clnrest close connections, since its port must stay the same.
    func stop() {
        let connections = served.withLock { served in
            served.socket = nil
            defer { served.connections = [] }
            return served.connections
        }
        rest.mode = .gone
        unlink(socketPath)
        for connection in connections { connection.hangUp() }
    }

    /// Breaks every connection; the node itself keeps running.
    func dropConnections() {
        for connection in served.withLock({ $0.connections }) { connection.hangUp() }
    }

    /// Holds back responses to these methods until they are released.
    func hold(_ methods: Set<String>) {
        served.withLock { $0.holding = methods }
    }

    /// Sends the held responses, in the order given by `order`, and holds no more.
    func release(_ order: ([Held]) -> [Held] = { $0 }) {
        let held = served.withLock { served in
            served.holding = []
            defer { served.held = [] }
            return served.held
        }
        for command in order(held) { command.perform() }
    }

    /// Of a node behind no queue of ours, on a machine that may be busy.
    static var limits: CallLimits {
        var limits = CallLimits()
        (limits.connectTimeout, limits.answerTimeout) = (.seconds(120), .seconds(120))
        limits.maximumConcurrency = 128
        return limits
    }

    func backend(
        usesOwnOffers: Bool = false, limits: CallLimits = NodeFixture.limits
    ) throws -> CoreLightningBackend {
        try CoreLightningBackend(
            CoreLightningConfiguration(
                transport: .socket(path: socketPath), usesOwnOffers: usesOwnOffers, limits: limits))
    }

    func restBackend(
        usesOwnOffers: Bool = false, limits: CallLimits = NodeFixture.limits
    ) throws -> CoreLightningBackend {
        let transport = CoreLightningConfiguration.Transport.rest(
            url: try HTTPURL("http://127.0.0.1:\(rest.port)"), runePath: runePath, certificatePath: nil)
        return try CoreLightningBackend(
            CoreLightningConfiguration(transport: transport, usesOwnOffers: usesOwnOffers, limits: limits))
    }
}

// MARK: - Its listeners

extension NodeFixture {
    private func serve(_ connection: LoopbackConnection) {
        served.withLock { $0.connections.append(connection) }
        var splitter = DocumentSplitter(limits: JSONLimits())
        while true {
            let bytes = connection.read()
            guard !bytes.isEmpty, let documents = try? splitter.take(bytes) else { return }
            for document in documents {
                guard let request = try? JSONValue(parsing: document), let method = request["method"]?.string,
                    let id = request["id"], let parameters = request["params"]?.object, request["jsonrpc"] == "2.0"
                else {
                    connection.write(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"No id"}}"#)
                    return
                }
                perform(method, parameters, filter: request["filter"], raw: document) { outcome in
                    var answer: JSONObject = ["jsonrpc": "2.0", "id": id]
                    switch outcome {
                    case .success(let result): answer["result"] = result
                    case .failure(let error): answer["error"] = error.json
                    }
                    connection.write(JSONValue.object(answer).serializedBytes() + [10, 10])
                }
            }
        }
    }

    private func answer(_ request: LoopbackRequest, over connection: LoopbackConnection) -> LoopbackAnswer? {
        served.withLock { $0.connections.append(connection) }
        let answer = Guarded<LoopbackAnswer?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        restAnswer(to: request) { made in
            answer.withLock { $0 = made }
            isThere.signal()
        }
        isThere.wait()
        return answer.withLock { $0 }
    }

    func restAnswer(to request: LoopbackRequest, _ answer: @escaping @Sendable (LoopbackAnswer) -> Void) {
        guard request.method == "POST", request.path.hasPrefix("/v1/") else {
            return answer(LoopbackAnswer(status: 405, #"{"code":null,"message":"Method not allowed"}"#))
        }
        let method = String(request.path.dropFirst(4))
        guard let rune = request.header("rune") else {
            return answer(LoopbackAnswer(status: 403, #"{"code":1501,"message":"Not authorized: Missing rune"}"#))
        }
        guard rune == acceptedRune.withLock({ $0 }) else {
            return answer(
                LoopbackAnswer(status: 401, #"{"code":1501,"message":"Not authorized: Not derived from master"}"#))
        }
        guard allowed.withLock({ $0?.contains(method) ?? true }) else {
            return answer(LoopbackAnswer(status: 401, #"{"code":1502,"message":"Not permitted: method not equal"}"#))
        }
        guard let parameters = try? JSONValue(parsing: request.body).object else {
            return answer(LoopbackAnswer(status: 500, #"{"code":null,"message":"Could not parse JSON request"}"#))
        }
        perform(method, parameters, filter: nil, raw: request.body) { outcome in
            switch outcome {
            case .success(let result): answer(LoopbackAnswer(status: 201, result.serialized()))
            case .failure(let error):
                answer(LoopbackAnswer(status: error.code == -32601 ? 404 : 500, error.json.serialized()))
            }
        }
    }

    private func perform(
        _ method: String, _ parameters: JSONObject, filter: JSONValue?, raw: [UInt8],
        _ answer: @escaping @Sendable (Result<JSONValue, Lightningd.RPCError>) -> Void
    ) {
        let command = Held(method: method) { [lightningd] in
            lightningd.perform(method, parameters, filter: filter, raw: raw, answer: answer)
        }
        let isHeld = served.withLock { served in
            guard served.holding.contains(method) else { return false }
            served.held.append(command)
            return true
        }
        if !isHeld { command.perform() }
    }
}

extension Lightningd.RPCError {
    fileprivate var json: JSONValue { ["code": .integer(Int(code)), "message": .string(message)] }
}
