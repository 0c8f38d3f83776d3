import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import LoopbackServer

/// A correct pay service on loopback, except where a test changes a response.
final class FakePayService: Sendable {
    typealias Answer = @Sendable (LoopbackRequest) throws -> LoopbackAnswer

    static let cors = ["Access-Control-Allow-Origin: *"]

    private let server: LoopbackServer
    private let received: Guarded<[LoopbackRequest]>

    var port: UInt16 { server.port }
    var authority: String { "127.0.0.1:\(server.port)" }
    var address: String { "alice@\(authority)" }
    var requests: [LoopbackRequest] { received.withLock { $0 } }

    /// Answers the first step, the callback, and everything else.
    init(
        info: @escaping Answer = { try .json(Script.info($0)) },
        callback: @escaping Answer = { try .json(Script.invoice($0)) },
        verify: @escaping Answer = { _ in .json(["status": "ERROR", "reason": "Not found"]) }
    ) throws {
        let received = Guarded<[LoopbackRequest]>([])
        self.received = received
        server = try LoopbackServer { request in
            received.withLock { $0.append(request) }
            do {
                switch request.path {
                case "/.well-known/lnurlp/alice": return try info(request)
                case "/callback": return try callback(request)
                default: return try verify(request)
                }
            } catch {
                return LoopbackAnswer(status: 500, "\(error)", type: "text/plain")
            }
        }
    }
}

extension LoopbackAnswer {
    static func json(_ json: JSONValue, status: Int = 200) -> LoopbackAnswer {
        LoopbackAnswer(status: status, json.serialized(), headers: FakePayService.cors)
    }
}

/// Correct responses, and changes that make them wrong.
enum Script {
    static let preimage = Result { try Preimage([UInt8](repeating: 7, count: 32)) }

    static func metadata(_ request: LoopbackRequest) -> String {
        let host = request.header("host") ?? ""
        return #"[["text/plain","Pay to Alice"],["text/identifier","alice@\#(host)"]]"#
    }

    /// The first response, with members added or replaced.
    static func info(_ request: LoopbackRequest, _ changes: JSONObject = [:]) throws -> JSONValue {
        var object: JSONObject = [
            "tag": "payRequest", "callback": .string("http://\(request.header("host") ?? "")/callback"),
            "minSendable": 1000, "maxSendable": 100_000_000, "metadata": .string(metadata(request)),
            "commentAllowed": 10,
        ]
        for member in changes.members { object[member.key] = member.value }
        return .object(object)
    }

    /// The second response, with members added or replaced.
    static func invoice(
        _ request: LoopbackRequest, _ changes: JSONObject = [:], hashing payerData: String? = nil,
        changing change: (inout Draft) -> Void = { _ in }
    ) throws -> JSONValue {
        let amount = request.query("amount").flatMap { UInt64($0) }
        var draft = Draft(
            amount: amount.map { Millisatoshi($0) },
            description: .hash(PayMetadata.descriptionHash(of: metadata(request), payerData: payerData)))
        change(&draft)
        var object: JSONObject = ["pr": .string(try draft.text), "routes": []]
        for member in changes.members { object[member.key] = member.value }
        return .object(object)
    }

    /// The response about a payment.
    static func verification(settled: Bool, preimage: JSONValue = .null, pr: String) -> JSONValue {
        ["status": "OK", "settled": .bool(settled), "preimage": preimage, "pr": .string(pr)]
    }

    struct Draft {
        var network = Network.regtest
        var amount: Millisatoshi?
        var timestamp = UnixTime.now()
        var expiry: UInt64 = 600
        var description: Bolt11Description

        var text: String {
            get throws {
                try Bolt11Draft(
                    network: network, amount: amount, timestamp: timestamp,
                    paymentHash: preimage.get().paymentHash,
                    paymentSecret: PaymentSecret([UInt8](repeating: 9, count: 32)),
                    description: description, expiry: expiry
                ).signed(by: SecretKey([UInt8](repeating: 1, count: 32))).text
            }
        }
    }
}
