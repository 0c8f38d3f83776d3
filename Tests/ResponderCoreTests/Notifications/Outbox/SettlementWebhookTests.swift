import LedgerRecords
import LedgerContract
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("Settlement webhooks", .timeLimit(.minutes(5)))
struct SettlementWebhookTests {
    let folder = TemporaryFolder()
    let received = Guarded<[LoopbackRequest]>([])
    let clock: WallClock = { UnixTime(1_790_000_500) }
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func server(status: Int = 200) throws -> LoopbackServer {
        let received = received
        return try LoopbackServer { request in
            received.withLock { $0.append(request) }
            return LoopbackAnswer(status: status, "")
        }
    }

    private func webhook(_ server: LoopbackServer, _ path: String = "/paid") throws -> SettlementWebhook {
        let file = folder.path + "/secret"
        if !folder.names.contains("secret") { try writeFile(Self.secret.utf8, to: file) }
        return SettlementWebhook(url: try HTTPURL("http://127.0.0.1:\(server.port)\(path)"), secretFile: file)
    }

    /// A ledger in which invoice 1 of alice is settled, and the work of reporting it.
    private func settled(
        own: SettlementWebhook? = nil, words: InvoiceOrigin.PayerWords = InvoiceOrigin.PayerWords(metadataVersion: 1)
    ) async throws -> (LedgerDatabase, OutboxWork) {
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        var settings = Sample.settings()
        settings.settlementWebhook = own
        _ = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
        _ = try await ledger.putAccount(
            named: Sample.alice(), settings: settings, metadata: Sample.metadata("For alice"), at: Sample.start)
        try await ledger.tellSettlementsOfAll(true)
        try await ledger.record(Sample.invoice(1, words: words), using: nil)
        _ = try await ledger.record(Sample.settlement(1), from: .embedded)
        return (ledger, try #require(try await ledger.outbox(OutboxQuery()).elements.first))
    }

    private func sender(
        _ ledger: LedgerDatabase, _ standard: SettlementWebhook?, allowsPrivate: Bool = true
    ) throws -> SettlementWebhookSender {
        try SettlementWebhookSender(
            .init(standard: standard, allowsPrivate: allowsPrivate), ledger: ledger, clock: clock)
    }

    @Test("A payment is reported as JSON, with its id, the time of the attempt and a signature over all three")
    func posts() async throws {
        let server = try server()
        let words = InvoiceOrigin.PayerWords(
            metadataVersion: 1, tag: "rent", comment: "Grüße ☕", payerData: #"{"name":"secret name"}"#)
        let (ledger, work) = try await settled(words: words)
        #expect(try await sender(ledger, webhook(server)).carryOut(work) == .carriedOut)
        let request = try #require(received.withLock { $0.first })
        let hash = try Sample.preimage(1).paymentHash.hexadecimal
        let settledAt = Sample.start.adding(seconds: 101).iso8601
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"type":"payment.received","timestamp":"\#(settledAt)","data":{"account":"alice","domain":"example.com","paymentHash":"\#(hash)","#
                + #""amount":1000,"received":1005,"settledAt":"\#(settledAt)","backend":"embedded","kind":"lnurl","tag":"rent","#
                + #""comment":"Grüße ☕"}}"#)
        #expect(request.method == "POST" && request.path == "/paid")
        #expect(request.header("content-type") == "application/json")
        #expect(request.header("webhook-id") == "payment-\(hash)")
        #expect(request.header("webhook-timestamp") == "1790000500")
        let expected = try WebhookSigningSecret(Self.secret.utf8).signature(
            id: "payment-\(hash)", timestamp: UnixTime(1_790_000_500), body: request.body)
        #expect(request.header("webhook-signature") == expected)
    }

    @Test(
        "An account's own webhook replaces the service-wide one; without either, at any instance, nothing is reported")
    func ownFirst() async throws {
        let server = try server()
        let (ledger, work) = try await settled(own: webhook(server, "/own"))
        #expect(try await sender(ledger, webhook(server, "/all")).carryOut(work) == .carriedOut)
        #expect(received.withLock { $0.map(\.path) } == ["/own"])
        try await ledger.put("alice")
        #expect(try await sender(ledger, webhook(server, "/all")).carryOut(work) == .carriedOut)
        #expect(received.withLock { $0.map(\.path) } == ["/own", "/all"])
        // Another instance has the setting.
        let left = try await sender(ledger, nil).carryOut(work)
        #expect(left == .failed("settlement-webhook.url is not set at this instance"))
        try await ledger.tellSettlementsOfAll(false)
        let dropped = try await sender(ledger, nil).carryOut(work)
        #expect(dropped == .dropped("no settlement webhook is configured for alice@example.com"))
    }

    @Test(
        "Every 2xx status is success, 410 ends it, everything else is retried",
        arguments: [
            (200, OutboxOutcome.carriedOut), (204, .carriedOut), (299, .carriedOut),
            (410, .refused("the receiver answers 410: it wants no more notices")),
            (302, .failed("the receiver answers 302; redirects are not followed")),
            (400, .failed("the receiver answers 400")), (500, .failed("the receiver answers 500")),
            (429, .failed("the receiver answers 429")),
        ])
    func statuses(status: Int, outcome: OutboxOutcome) async throws {
        let server = try server(status: status)
        let (ledger, work) = try await settled()
        #expect(try await sender(ledger, webhook(server)).carryOut(work) == outcome)
        #expect(received.withLock { $0.count } == 1)
    }

    @Test("Loopback and plain http are used only where allowed")
    func policy() async throws {
        let server = try server()
        let (ledger, work) = try await settled()
        let plain = try webhook(server)
        #expect(
            try await sender(ledger, plain, allowsPrivate: false).carryOut(work)
                == .failed("plain http needs settlement-webhook.allow-private"))
        let secure = SettlementWebhook(
            url: try HTTPURL("https://127.0.0.1:\(server.port)/paid"), secretFile: plain.secretFile)
        #expect(
            try await sender(ledger, secure, allowsPrivate: false).carryOut(work)
                == .failed(
                    "the host has no address of the public internet; others need settlement-webhook.allow-private"))
        #expect(received.withLock { $0.isEmpty })
    }

    @Test("A missing secret file, receiver or payment is reported in a sentence, and retried")
    func missing() async throws {
        var server: LoopbackServer? = try server()
        let (ledger, work) = try await settled()
        let good = try webhook(#require(server))
        let lost = SettlementWebhook(url: good.url, secretFile: folder.path + "/lost")
        #expect(
            try await sender(ledger, lost).carryOut(work)
                == .failed("the secret file \(folder.path)/lost: no such file")
        )
        let closed = SettlementWebhook(url: try HTTPURL("http://127.0.0.1:1/paid"), secretFile: good.secretFile)
        #expect(try await sender(ledger, closed).carryOut(work) == .failed("no connection with the receiver"))
        server = nil
        let unknown = SettlementWebhookJob(try Sample.preimage(2).paymentHash, to: try Sample.alice())
        let other = OutboxWork(
            id: work.id, kind: work.kind, account: work.account,
            payload: unknown.payload,
            createdAt: work.createdAt, state: work.state)
        #expect(try await sender(ledger, good).carryOut(other) == .refused("the ledger knows of no such payment"))
        let damaged = OutboxWork(
            id: work.id, kind: work.kind, account: work.account, payload: [], createdAt: work.createdAt,
            state: work.state)
        #expect(try await sender(ledger, good).carryOut(damaged) == .refused("the entry cannot be read"))
    }
}
