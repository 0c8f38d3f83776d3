import LedgerRecords
import CoreMetrics
import HTTPTypes
import Hummingbird
import LightningCoding
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderCore
import ResponderModel
import Testing
@testable import HTTPService

@Suite(
    "While the ledger's server is silent", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct SilentLedgerTests {
    /// Long enough for a call on a busy machine, and far longer than an answer may wait.
    private static let timeOfCall = Duration.seconds(120)

    private let proxy: CuttingProxy
    private let ledger: ServerLedger
    private let router: CallbackResponder<ServiceContext>
    /// The same, whose answers wait long enough on a busy machine.
    private let patient: CallbackResponder<ServiceContext>

    /// A service on a server behind a proxy, whose accounts share their rate over all instances.
    init() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let name = try await cluster.makeDatabase()
        try await ServerLedger.migrate(ServerSettings(url: cluster.url(name)))
        proxy = try CuttingProxy(to: cluster.port)
        let ledger = try await ServerLedger.open(
            ServerSettings(url: cluster.url(name, at: proxy.port)), timeout: Self.timeOfCall)
        self.ledger = ledger
        let service = try await TestService(openInvoices: 100)
        _ = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
        let editor = AccountEditor(
            ledger: ledger, backends: [.embedded: service.node], clock: { [clock = service.clock] in clock.now })
        _ = try await editor.put(
            AccountID("alice@example.com"), AccountSettings(description: "Pay Alice", backend: .embedded))
        let responder = try await service.responder(on: ledger)
        let limit = RateLimit(perMinute: 100)
        let admission = Admission(ServiceRates(account: limit), shared: ledger, metrics: service.metrics)
        func router(within time: Duration) -> CallbackResponder<ServiceContext> {
            var settings = service.settings
            settings.ledgerTime = time
            return service.router(
                Payers(responder), admission: admission, accounts: responder.accounts, settings: settings)
        }
        self.router = router(within: .seconds(2))
        patient = router(within: Self.timeOfCall)
    }

    private func ask(_ router: CallbackResponder<ServiceContext>, _ target: String) async throws -> Answer {
        try await Answer(router, target, .get, [:], "")
    }

    /// Makes several connections, so that each call could wait for its whole time.
    private func connect() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { [ledger] in try await ledger.probe() } }
            try await group.waitForAll()
        }
    }

    @Test("Whatever is asked, known account or not, its payer is told so within the one time for the ledger")
    func silent() async throws {
        let verify = "/lnurlpay/alice/" + String(repeating: "0", count: 64)
        for isKnown in [false, true] {
            if isKnown { #expect(try await ask(patient, "/lnurlpay/alice/invoice?amount=1000").json()["pr"] != nil) }
            try await connect()
            proxy.become(.silent)
            var targets = ["/lnurlpay/alice/invoice?amount=1000", verify]
            if !isKnown { targets.append("/lnurlp/alice") }
            for target in targets {
                let start = MonotonicTime.now
                #expect(try await ask(router, target).reason == "Temporarily unavailable; please try again later")
                // A call that knew nothing of the time would take all of its own.
                #expect(MonotonicTime.now - start < Self.timeOfCall, "\(target)")
            }
            proxy.become(.passing)
        }
    }
}
