import LightningCoding
import Platform
import ResponderModel
@testable import HookBackend

/// A hook that answers as a test tells it to, and remembers what it was asked.
final class FakeHook: HookTransport {
    private let answers: Guarded<[HookMethod: Result<HookResponse, BackendFault>]>
    private let asked = Guarded<[(HookMethod, JSONObject)]>([])

    init(_ answers: [HookMethod: JSONValue] = [:]) {
        self.answers = Guarded(answers.mapValues { .success(.result($0)) })
    }

    var questions: [(method: HookMethod, parameters: JSONObject)] { asked.withLock { $0 } }

    func script(_ method: HookMethod, _ answer: Result<JSONValue, BackendFault>) {
        answers.withLock { $0[method] = answer.map { .result($0) } }
    }

    func respond(_ method: HookMethod, _ response: HookResponse) {
        answers.withLock { $0[method] = .success(response) }
    }

    func call(
        _ method: HookMethod, _ parameters: JSONObject, within time: Duration
    ) async throws(BackendFault) -> HookResponse {
        asked.withLock { $0.append((method, parameters)) }
        return try (answers.withLock { $0[method] } ?? .failure(.unsupported)).get()
    }

    func close() {}

    /// A correct answer to `info`, with changes.
    static func info(_ changes: [(String, JSONValue)] = [], capabilities: [(String, JSONValue)] = []) -> JSONValue {
        var declared: JSONObject = [
            "precision": "msat", "preimage": true, "cancel": true, "offers": "none", "textLimit": 639,
        ]
        for (key, value) in capabilities { declared.append(key, value) }
        var info: JSONObject = [
            "version": 1, "nodeID": "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "network": "regtest", "blockHeight": 100, "synchronized": true, "public": true,
            "capabilities": .object(declared),
        ]
        for (key, value) in changes { info.append(key, value) }
        return .object(info)
    }
}
