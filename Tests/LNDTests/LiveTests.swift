import BackendContract
import Bolt11
import FakeNode
import Glibc
import LightningCoding
import LightningCrypto
import OutboundHTTP
import ResponderModel
import Testing
@testable import LND

/// The contract with a real node instead of the fake one: `Scripts/judge-lnd` starts a payer and a payee, and passes
/// their addresses in the environment.
@Suite(
    "A real LND keeps every backend rule", .enabled(if: LiveNode.areThere), .serialized, .timeLimit(.minutes(5)))
struct LiveTests {
    @Test("LND keeps its rules", .timeLimit(.minutes(5)), arguments: BackendRule.all)
    func contract(_ rule: BackendRule) async throws {
        try await rule.check(try await LiveFixture())
    }
}

private struct LiveNode {
    let configuration: LNDConfiguration
    private let access: LNDAccess

    static let areThere = ["PAYEE", "PAYER"].allSatisfy { variable($0 + "_URL") != nil }

    /// - Parameter name: the middle part of its environment variables' names.
    init(_ name: String) throws {
        configuration = LNDConfiguration(
            url: try HTTPURL(#require(Self.variable(name + "_URL"))),
            macaroonPath: try #require(Self.variable(name + "_MACAROON")),
            certificatePath: Self.variable(name + "_CERTIFICATE"), answersOffers: true)
        access = try LNDAccess(configuration)
    }

    private static func variable(_ name: String) -> String? {
        getenv("JUDGE_LND_" + name).map { String(cString: $0) }
    }

    func call(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)] = [], body: JSONValue? = nil
    ) async throws -> JSONValue {
        let response = try await access.client.send(
            HTTPRequest(
                method, configuration.url.appendingPath(path).appendingQuery(query), headers: [access.macaroon],
                body: body?.serializedBytes() ?? [], timeout: .seconds(60)))
        let answer = try JSONValue(parsing: response.body)
        guard response.status == 200 else { throw PaymentFailed(answer["message"]?.string ?? "\(response.status)") }
        return answer
    }
}

/// A payer with a channel to the payee, directly or through others.
private struct LiveFixture: BackendFixture {
    let payee: LiveNode
    let payer: LiveNode
    let run: String
    let start: SettlementCursor

    init() async throws {
        payee = try LiveNode("PAYEE")
        payer = try LiveNode("PAYER")
        run = Hexadecimal.encode(try SystemRandom.bytes(8))
        // Skip what other rules left behind.
        let listed = try await payee.call(.get, "/v1/invoices", query: [("num_max_invoices", "10000")])
        let indices = (listed["invoices"]?.array ?? []).compactMap { $0["settle_index"]?.string.flatMap(UInt64.init) }
        start = SettlementCursor(String(indices.max() ?? 0))
    }

    func connect() async throws -> any ReceiveBackend {
        LiveBackend(node: try LNDBackend(payee.configuration), run: run, start: start)
    }

    var now: UnixTime { .now() }

    /// A real node's time passes by itself.
    func advance(seconds: UInt64) async throws { try await Task.sleep(for: .seconds(Int64(seconds) + 1)) }

    /// A part or a multiple of the amount is sent along a route of our own.
    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws {
        // Forget failures of other rules' payments.
        _ = try await payer.call(.post, "/v2/router/mc/reset", body: [:])
        let invoice = try Bolt11Invoice(bolt11)
        let payment: JSONValue?
        if invoice.amount == amount {
            let order: JSONValue = [
                "payment_request": .string(bolt11), "timeout_seconds": 20, "fee_limit_msat": "1000000",
                "no_inflight_updates": true,
            ]
            payment = try await payer.call(.post, "/v2/router/send", body: order)["result"]
        } else {
            let order: JSONValue = [
                "payment_hash": .string(Base64.encode(invoice.paymentHash.bytes)),
                "route": .object(try await route(to: invoice, amount)),
            ]
            payment = try await payer.call(.post, "/v2/router/route/send", body: order)
        }
        guard payment?["status"] == "SUCCEEDED" else {
            throw PaymentFailed(payment?["failure_reason"]?.string ?? payment?["failure"]?["code"]?.string ?? "")
        }
    }

    private func route(to invoice: Bolt11Invoice, _ amount: Millisatoshi) async throws -> JSONObject {
        let found = try await payer.call(
            .get, "/v1/graph/routes/\(invoice.payee.hexadecimal)/0", query: [("amt_msat", String(amount.msat))])
        var route = try #require(found["routes"]?.array?.first?.object)
        var hops = try #require(route["hops"]?.array)
        var last = try #require(hops.popLast()?.object)
        last["mpp_record"] = [
            "payment_addr": .string(Base64.encode(invoice.paymentSecret.secret)),
            "total_amt_msat": .string(String(amount.msat)),
        ]
        route["hops"] = .array(hops + [.object(last)])
        return route
    }
}
