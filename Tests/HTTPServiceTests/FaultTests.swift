import LedgerRecords
import Bolt12
import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

@Suite("Internal failures", .timeLimit(.minutes(5)))
struct FaultTests {
    @Test(
        "The payer gets a generic error; the log gets the cause, under the route's template",
        arguments: [
            LedgerFault.busy, .full, .readOnly, .corrupt("secret words"), .newerVersion(found: 9, supported: 1),
            .storage("secret words"),
        ]
    )
    func ledger(fault: LedgerFault) async throws {
        let log = RecordingLog()
        let responder = Responder(
            ledger: FailingLedger(fault: fault),
            backends: [:],
            settings: ResponderSettings(
                challengeKey: SecretBytes([UInt8](repeating: 1, count: 32))
            )
        )
        let router = try await TestService().router(Payers(responder), accounts: responder.accounts)
        let targets = [
            "/lnurlp/alice", "/lnurlpay/alice/invoice?amount=1",
            "/lnurlpay/alice/" + String(repeating: "0", count: 64),
        ]
        for target in targets {
            let answer = try await Answer(router, target, .get, [:], "", logger: log.logger)
            #expect(answer.status == 200)
            #expect(answer.reason == "Temporarily unavailable; please try again later")
            #expect(answer.headers[.cacheControl] == "no-store")
        }
        #expect(
            log.lines.map(\.route) == ["/lnurlp/{name}", "/lnurlpay/{name}/invoice", "/lnurlpay/{name}/{payment_hash}"])
        #expect(log.lines.allSatisfy { $0.cause == fault.reason })
        #expect(!log.lines.contains { $0.all.contains("alice") || $0.all.contains("0000") })
    }

    @Test("A repeated cause is logged once, and another cause separately")
    func repeated() async throws {
        let log = RecordingLog()
        let instruments = RouteInstruments(template: "/x", metrics: PrometheusMetrics())
        for number in 0..<1_000 {
            _ = await instruments.observe(log.logger) { .init(.text(""), .failed, cause: number < 900 ? "one" : "two") }
        }
        #expect(log.lines.map(\.cause) == ["one", "two"])
    }

    @Test("A ledger that can be read but not written is told as it is, and no node is blamed")
    func unwritable() async throws {
        let service = try await TestService()
        var parts = service.parts
        parts.ledger = try await service.unwritableLedger()
        let answer = try await service.administer("/health/parts", token: nil, parts: parts)
        #expect(answer.status == 503)
        #expect(
            try answer.json() == [
                "status": "degraded",
                "parts": [
                    "ledger": .string(LedgerFault.readOnly.reason),
                    "backend embedded": "not checked while the ledger fails",
                ],
                "instance": .string(service.instance.id.text), "leases": [:],
            ])
    }

    @Test("An invoice that the ledger does not store is never returned")
    func unwritten() async throws {
        try await RunningService.with(ledger: { try await $0.unwritableLedger() }) { service, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send(
                "GET /lnurlpay/alice/invoice?amount=1000 HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n")
            let answer = try await connection.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(
                answer.hasSuffix(
                    #"{"status":"ERROR","reason":"Temporarily unavailable; please try again later"}"#))
            #expect(!answer.contains("lnbcrt"))
            #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.isEmpty)
        }
    }
}

/// Records what was logged, at one level or at all.
final class RecordingLog: Sendable {
    private let level: Logger.Level?
    struct Line: Sendable {
        let route: String
        let cause: String
        let all: String
    }

    private let kept = Guarded<[Line]>([])

    init(at level: Logger.Level? = .error) {
        self.level = level
    }

    var lines: [Line] { kept.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(log: self) }
    }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard log.level == nil || event.level == log.level else { return }
            let fields = event.metadata ?? [:]
            let line = Line(
                route: fields["route"]?.description ?? "", cause: fields["cause"]?.description ?? "",
                all: "\(event.message) \(fields)"
            )
            log.kept.withLock { $0.append(line) }
        }
    }
}

/// A responder's ledger on which every call fails.
struct FailingLedger: ResponderLedger {
    let fault: LedgerFault

    func account(named name: AccountID) async throws(LedgerFault) -> Account? { throw fault }
    func domains() async throws(LedgerFault) -> [Domain] { throw fault }
    func domain(_ name: DomainName) async throws(LedgerFault) -> Domain? { throw fault }
    func putDomain(
        at publicURL: PublicURL, _ settings: DomainSettings, expecting revision: UInt64?
    ) async throws(LedgerFault) -> Domain { throw fault }
    func putMainDomain(
        at publicURL: HTTPURL, replacing former: PublicURL?
    ) async throws(LedgerFault) -> Domain { throw fault }
    func removeDomain(_ name: DomainName) async throws(LedgerFault) -> Bool { throw fault }
    func accounts() async throws(LedgerFault) -> [Account] { throw fault }
    func putAccount(
        named name: AccountID, settings: AccountSettings, metadata: String, at now: UnixTime,
        expecting revision: UInt64?
    ) async throws(LedgerFault) -> Account { throw fault }
    func removeAccount(named name: AccountID) async throws(LedgerFault) -> Bool { throw fault }
    func version(_ number: UInt64, of name: AccountID) async throws(LedgerFault) -> AccountVersion? { throw fault }
    func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault) { throw fault }
    func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault? { throw fault }
    func isUsed(_ challenge: UsedChallenge) async throws(LedgerFault) -> Bool { throw fault }
    func invoice(_ paymentHash: PaymentHash, createdAt: UnixTime?) async throws(LedgerFault) -> IssuedInvoice? {
        throw fault
    }
    func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> Page<IssuedInvoice> { throw fault }
    func record(
        _ settlement: Settlement, issuedAt: UnixTime?, from backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) -> IssuedInvoice? { throw fault }
    func record(
        _ settlement: RecordedSettlement, of paymentHash: PaymentHash, issuedAt: UnixTime?, from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice? { throw fault }
    func pass(
        to cursor: SettlementCursor, of backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) { throw fault }
    func cursor(of backend: BackendName) async throws(LedgerFault) -> SettlementCursor? { throw fault }
    func pass(
        over skipped: UnreadableSettlement, of backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) { throw fault }
    func skippedSettlements(limit: Int) async throws(LedgerFault) -> [SkippedSettlement] { throw fault }
    func forgetCursor(of backend: BackendName, under lease: Lease) async throws(LedgerFault) { throw fault }
    func noteFollowing(
        _ backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) { throw fault }
    func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan? { throw fault }
    func bind(_ backend: BackendName, to node: PublicKey) async throws(LedgerFault) { throw fault }
    func unbind(_ backend: BackendName) async throws(LedgerFault) -> Bool { throw fault }
    func prune(before now: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int { throw fault }
    let observers = Observers<LedgerFact>()
    func add(_ work: OutboxWork, upTo most: Int) async throws(LedgerFault) -> Bool { throw fault }
    func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice] { throw fault }
    func forgetExpired(
        _ paymentHashes: [PaymentHash], issuedIn span: ClosedRange<UnixTime>, before moment: UnixTime,
        under lease: Lease
    ) async throws(LedgerFault) -> Int { throw fault }
    func accountsRevision() async throws(LedgerFault) -> UInt64 { throw fault }
    func accountsRevision(otherThan known: UInt64) async throws(LedgerFault) -> UInt64 { throw fault }
    func putOffer(_ offer: IssuedOffer) async throws(LedgerFault) -> IssuedOffer { throw fault }
    func offer(_ id: OfferID) async throws(LedgerFault) -> IssuedOffer? { throw fault }
    func offers(of account: AccountID?) async throws(LedgerFault) -> [IssuedOffer] { throw fault }
    func disableOffer(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool { throw fault }
    func noteDisabledAtNode(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool { throw fault }
    func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice? { throw fault }
    func metadata(
        of name: AccountID, shownAt moment: UnixTime
    ) async throws(LedgerFault) -> ShownMetadata? { throw fault }
    func openInvoices(
        of account: AccountID, at now: UnixTime, countingTo limit: UInt64
    ) async throws(LedgerFault) -> OpenInvoices { throw fault }
}
