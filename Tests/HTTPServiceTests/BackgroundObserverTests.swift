import LightningCoding
import LightningCrypto
import ResponderModel
import Testing
@testable import HTTPService
@testable import ResponderCore

@Suite("What is logged of the outbox", .timeLimit(.minutes(5)))
struct BackgroundObserverTests {
    @Test("Attempts that fail alike share one line a minute, and each is counted: anybody can cause them")
    func repeated() async throws {
        let service = try await TestService()
        let log = RecordingLog(at: nil)
        let observer = BackgroundObserver(of: [], metrics: service.metrics, logger: log.logger)
        let now = service.clock.now
        func attempt(_ number: Int, _ outcome: OutboxOutcome) throws -> OutboxAttempt {
            OutboxAttempt(
                work: OutboxWork(
                    id: try #require(OutboxID("push-\(number)")), kind: .push, account: nil, payload: [],
                    createdAt: now, deadline: nil, state: .pending(dueAt: now)),
                outcome: outcome, ledgerFault: nil)
        }
        for number in 1...50 { observer.note(try attempt(number, .postponed(seconds: 60, "no answer in time"))) }
        for number in 51...60 { observer.note(try attempt(number, .refused("status 403"))) }
        observer.note(try attempt(61, .carriedOut))
        #expect(log.lines.count == 2)
        #expect(log.lines.first?.all.contains("push-1") == true)
        let page = service.metrics.page()
        #expect(page.contains(#"responder_outbox_attempts_total{kind="push",outcome="failed"} 50"#))
    }

    private func attempt(
        _ id: String, _ kind: OutboxKind, _ payload: [UInt8], _ outcome: OutboxOutcome, at now: UnixTime
    ) throws -> OutboxAttempt {
        OutboxAttempt(
            work: OutboxWork(
                id: try #require(OutboxID(id)), kind: kind, account: nil, payload: payload, createdAt: now,
                deadline: nil,
                state: .pending(dueAt: now)),
            outcome: outcome, ledgerFault: nil)
    }

    private func mismatch() throws -> InvoiceMismatch {
        InvoiceMismatch(
            backend: .embedded, paymentHash: try PaymentHash([UInt8](repeating: 1, count: 32)),
            cause: "its amount differs",
            account: nil)
    }

    @Test("A notification that is posted with the members of an invoice that differs is not taken for one")
    func lookalike() async throws {
        let service = try await TestService()
        let log = RecordingLog(at: nil)
        let observer = BackgroundObserver(of: [.embedded], metrics: service.metrics, logger: log.logger)
        observer.note(
            try attempt("posted-1", .notification, try mismatch().payload, .carriedOut, at: service.clock.now))
        #expect(log.lines.isEmpty)
        let counted = #"responder_invoice_mismatches_total{backend="embedded"} "#
        #expect(service.metrics.page().contains(counted + "0"))
        observer.note(
            try attempt("mismatch-1", .invoiceMismatch, try mismatch().payload, .carriedOut, at: service.clock.now))
        #expect(log.lines.count == 1)
        #expect(service.metrics.page().contains(counted + "1"))
    }

    @Test("However many ways strangers make attempts fail in, a wrong node and a failing ledger get their lines")
    func crowded() async throws {
        let service = try await TestService()
        let log = RecordingLog(at: nil)
        let observer = BackgroundObserver(of: [.embedded], metrics: service.metrics, logger: log.logger)
        for number in 1...400 {
            observer.note(try attempt("push-\(number)", .push, [], .refused("status \(number)"), at: service.clock.now))
        }
        let before = log.lines.count
        observer.note(
            try attempt("mismatch-1", .invoiceMismatch, try mismatch().payload, .carriedOut, at: service.clock.now))
        observer.note(LedgerFault.busy)
        #expect(log.lines.count == before + 2)
    }
}
