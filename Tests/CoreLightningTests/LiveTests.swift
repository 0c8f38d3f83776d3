import BackendContract
import Bolt11
import Bolt12
import Glibc
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing
@testable import CoreLightning

/// The contract with a real node instead of the fake one: `Scripts/judge-core-lightning` starts a payer and a payee,
/// and passes the paths of their sockets, and the payee's clnrest if it has one, in the environment.
@Suite(
    "A real Core Lightning node keeps the rules of every backend", .enabled(if: LiveNodes.areThere), .serialized,
    .timeLimit(.minutes(5)))
struct LiveTests {
    @Test("With offers built here", .timeLimit(.minutes(5)), arguments: BackendRule.all)
    func contract(_ rule: BackendRule) async throws {
        try await rule.check(try await LiveNodes.fixture())
    }

    @Test(
        "Over clnrest", .enabled(if: LiveNodes.rest != nil), .timeLimit(.minutes(5)), arguments: BackendRule.all)
    func rest(_ rule: BackendRule) async throws {
        try await rule.check(try await LiveNodes.fixture(through: LiveNodes.rest))
    }

    @Test(
        "With its own offers", .timeLimit(.minutes(5)),
        arguments: BackendRule.all.filter { $0.rule.contains("own offer") })
    func ownOffers(_ rule: BackendRule) async throws {
        try await rule.check(try await LiveNodes.fixture(usesOwnOffers: true))
    }
}

private enum LiveNodes {
    static let payee = variable("JUDGE_PAYEE_SOCKET")
    static let payer = variable("JUDGE_PAYER_SOCKET")
    static let areThere = payee != nil && payer != nil

    static let rest: CoreLightningConfiguration.Transport? = {
        guard let text = variable("JUDGE_PAYEE_URL"), let url = try? HTTPURL(text),
            let rune = variable("JUDGE_PAYEE_RUNE_FILE")
        else { return nil }
        return .rest(url: url, runePath: rune, certificatePath: variable("JUDGE_PAYEE_CERTIFICATE_FILE"))
    }()

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static func fixture(
        usesOwnOffers: Bool = false, through transport: CoreLightningConfiguration.Transport? = nil
    ) async throws -> LiveFixture {
        let configuration = CoreLightningConfiguration(
            transport: try transport ?? .socket(path: #require(payee)), usesOwnOffers: usesOwnOffers)
        let payee = try CoreLightningBackend(configuration)
        // Skip what other rules left behind.
        var index: UInt64 = 0
        while let paid = try? await payee.perform("waitanyinvoice", ["lastpay_index": .unsigned(index), "timeout": 0]) {
            index = try #require(paid["pay_index"]?.uint64)
        }
        return LiveFixture(
            configuration: configuration, payer: SocketClient(path: try #require(payer), CallLimits()),
            run: Hexadecimal.encode(try SystemRandom.bytes(8)), start: SettlementCursor(String(index)))
    }
}

/// A payer with a channel to the payee, directly or through others.
private struct LiveFixture: BackendFixture {
    let configuration: CoreLightningConfiguration
    let payer: SocketClient
    let run: String
    let start: SettlementCursor

    func connect() async throws -> any ReceiveBackend {
        LiveBackend(node: try CoreLightningBackend(configuration), run: run, start: start)
    }

    var now: UnixTime { .now() }

    /// A real node's time passes by itself.
    func advance(seconds: UInt64) async throws { try await Task.sleep(for: .seconds(Int64(seconds) + 1)) }

    /// A part or a multiple of the amount is sent along a route of our own, since `xpay` pays exactly.
    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws {
        let invoice = try Bolt11Invoice(bolt11)
        if invoice.amount == amount {
            _ = try await call("xpay", ["invstring": .string(bolt11), "retry_for": 10])
            return
        }
        let hash = JSONValue.string(invoice.paymentHash.hexadecimal)
        let found = try await call(
            "getroutes",
            [
                "source": try #require(try await call("getinfo", [:])["id"]),
                "destination": .string(invoice.payee.hexadecimal), "amount_msat": .unsigned(amount.msat),
                "layers": ["auto.localchans", "auto.sourcefree"], "maxfee_msat": 10_000,
                "final_cltv": .unsigned(invoice.minFinalCLTVExpiryDelta), "maxparts": 1,
            ])
        let hops = try #require(found["routes"]?.array?.first?["path"]?.array)
        _ = try await call(
            "sendpay",
            [
                "route": .array(try hops.map(Self.hop)), "payment_hash": hash,
                "payment_secret": .string(invoice.paymentSecret.hexadecimal),
            ])
        _ = try await call("waitsendpay", ["payment_hash": hash, "timeout": 20])
    }

    func pay(_ offer: Offer, _ amount: Millisatoshi) async throws {
        let answer = try await call(
            "fetchinvoice", ["offer": .string(offer.text), "amount_msat": .unsigned(amount.msat)])
        _ = try await call("xpay", ["invstring": try #require(answer["invoice"]), "retry_for": 10])
    }

    /// A hop of `getroutes`, as `sendpay` expects it.
    private static func hop(_ hop: JSONValue) throws -> JSONValue {
        let channel = try #require(hop["short_channel_id_dir"]?.string)
        return [
            "id": try #require(hop["node_id_out"]), "channel": .string(String(channel.prefix { $0 != "/" })),
            "amount_msat": try #require(hop["amount_out_msat"]), "delay": try #require(hop["cltv_out"]),
        ]
    }

    private func call(_ method: String, _ parameters: JSONObject) async throws -> JSONValue {
        try await payer.call(Command(method: method, parameters: parameters, timeout: .seconds(30)))
    }
}
