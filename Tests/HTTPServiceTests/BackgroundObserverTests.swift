import LightningCoding
import ResponderModel
import Testing
@testable import HTTPService
@testable import ResponderCore

@Suite("What is logged of the outbox", .timeLimit(.minutes(1)))
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
}
