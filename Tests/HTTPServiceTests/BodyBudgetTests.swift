import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Testing

@testable import HTTPService

@Suite("Bodies that are received", .timeLimit(.minutes(1)))
struct BodyBudgetTests {
    /// A body that is sent by hand.
    private struct Sent {
        let parts: AsyncStream<ByteBuffer>.Continuation
        let request: Request

        init() {
            let (stream, parts) = AsyncStream<ByteBuffer>.makeStream()
            self.parts = parts
            request = Request(
                head: HTTPRequest(method: .post, scheme: nil, authority: "x", path: "/"),
                body: RequestBody(asyncSequence: stream))
        }

        func send(_ count: Int) { parts.yield(ByteBuffer(repeating: 7, count: count)) }
    }

    private let limit = 1 << 20

    @Test("All bodies together take so many bytes beyond the first ones of each, which are always taken")
    func bounded() async throws {
        let budget = BodyBudget(bytes: 1_000)
        let large = Sent()
        large.send(BodyBudget.free + 900)
        large.parts.finish()
        #expect(try await large.request.bytes(limit: limit, of: budget).count == BodyBudget.free + 900)
        // What is received is given back.
        #expect(budget.take(1_000))
        for (counts, isTaken) in [
            ([BodyBudget.free], true), ([BodyBudget.free, 1], false), ([1, BodyBudget.free], false),
        ] {
            let sent = Sent()
            for count in counts { sent.send(count) }
            sent.parts.finish()
            var fault: BodyFault?
            do throws(BodyFault) {
                _ = try await sent.request.bytes(limit: limit, of: budget)
            } catch {
                fault = error
            }
            #expect(fault == (isTaken ? nil : .crowded))
        }
        budget.release(1)
        let last = Sent()
        last.send(BodyBudget.free + 1)
        last.parts.finish()
        #expect(try await last.request.bytes(limit: limit, of: budget).count == BodyBudget.free + 1)
        #expect(budget.take(1) && !budget.take(1))
    }

    @Test("A body is not longer than its own limit")
    func tooLong() async throws {
        for (limit, isTooLong) in [(10, false), (9, true)] {
            let sent = Sent()
            for _ in 1...2 { sent.send(5) }
            sent.parts.finish()
            let budget = BodyBudget(bytes: 0)
            if isTooLong {
                await #expect(throws: BodyFault.tooLarge) { try await sent.request.bytes(limit: limit, of: budget) }
            } else {
                #expect(try await sent.request.bytes(limit: limit, of: budget).count == 10)
            }
        }
    }
}
