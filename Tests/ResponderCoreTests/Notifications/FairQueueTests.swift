import ResponderModel
import Testing
@testable import ResponderCore

@Suite("The fair queue", .timeLimit(.minutes(5)))
struct FairQueueTests {
    private typealias Queue = FairQueue<Int>

    private func job(_ number: Int, of account: String = "alice", bytes: Int = 1) throws -> Queue.Job {
        Queue.Job(account: try AccountID("\(account)@example.com"), bytes: bytes, work: number)
    }

    /// Whether a job starts, waits, or is refused, as text.
    private func take(_ job: Queue.Job, _ queue: inout Queue) -> String {
        do throws(NotificationRefusal) {
            return try queue.take(job) ? "start" : "wait"
        } catch {
            return "\(error)"
        }
    }

    @Test("Work starts at once while there is capacity, then waits in order, and is then refused")
    func places() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 2, atWorkForAccount: 2, waiting: 1, bytes: 100))
        #expect(take(try job(1), &queue) == "start")
        #expect(take(try job(2), &queue) == "start")
        #expect(take(try job(3), &queue) == "wait")
        #expect(take(try job(4), &queue) == "full")
        #expect(queue.finish(try job(1)).map(\.work) == [3])
        #expect(queue.finish(try job(2)).map(\.work) == [])
        #expect(queue.atWork == 1)
    }

    @Test("Queued bytes are bounded, and released when the work is done")
    func bytes() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 9, atWorkForAccount: 9, waiting: 9, bytes: 100))
        #expect(take(try job(1, bytes: 60), &queue) == "start")
        #expect(take(try job(2, bytes: 41), &queue) == "full")
        #expect(take(try job(3, bytes: 40), &queue) == "start")
        _ = queue.finish(try job(1, bytes: 60))
        #expect(queue.bytes == 40)
        #expect(take(try job(4, bytes: .max), &queue) == "full")
    }

    @Test("Work that was taken out is not kept, also while more of its account waits")
    func released() throws {
        final class Body: Sendable {}
        let account = try AccountID("alice@example.com")
        var queue = FairQueue<Body>(
            limits: NotificationQueueLimits(atWork: 1, atWorkForAccount: 1, waiting: 9, bytes: 100))
        func job(_ body: Body) -> FairQueue<Body>.Job { FairQueue.Job(account: account, bytes: 1, work: body) }
        let first = job(Body())
        _ = try queue.take(first)
        weak var second: Body?
        do {
            let body = Body()
            second = body
            _ = try queue.take(job(body))
        }
        _ = try queue.take(job(Body()))
        #expect(second != nil && queue.waiting == 2)
        _ = queue.finish(first)
        #expect(second == nil && queue.waiting == 1)
    }

    @Test("An account whose work never ends leaves capacity for the others")
    func oneHangs() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 4, atWorkForAccount: 2, waiting: 100, bytes: 1000))
        for number in 1...50 { _ = try queue.take(job(number, of: "alice")) }
        #expect(queue.atWork == 2)
        #expect(take(try job(60, of: "bob"), &queue) == "start")
        #expect(queue.finish(try job(60, of: "bob")).map(\.work) == [])
        #expect(queue.finish(try job(1, of: "alice")).map(\.work) == [3])
    }

    @Test("Accounts take turns")
    func turns() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 1, atWorkForAccount: 1, waiting: 100, bytes: 1000))
        _ = try queue.take(job(0, of: "carol"))
        for number in 1...3 { _ = try queue.take(job(number, of: "alice")) }
        for number in 11...12 { _ = try queue.take(job(number, of: "bob")) }
        var order: [String] = []
        var done = try job(0, of: "carol")
        while let next = queue.finish(done).first {
            order.append("\(next.work)")
            done = next
        }
        #expect(order == ["1", "11", "2", "12", "3"])
        #expect(queue.isEmpty && queue.bytes == 0)
    }

    @Test("Once closed, nothing is accepted, accepted work is done, and then the queue ends")
    func closing() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 1, atWorkForAccount: 1, waiting: 9, bytes: 100))
        _ = try queue.take(job(1))
        _ = try queue.take(job(2))
        queue.isClosed = true
        #expect(take(try job(3), &queue) == "closed")
        #expect(queue.finish(try job(1)).map(\.work) == [2])
        #expect(!queue.isEmpty)
        #expect(queue.finish(try job(2)).isEmpty && queue.isEmpty)
    }

    @Test("For any sequence of events, every job is started once or refused, and the limits hold")
    func everyJob() throws {
        let limits = NotificationQueueLimits(atWork: 7, atWorkForAccount: 3, waiting: 20, bytes: 200)
        var queue = Queue(limits: limits)
        var random = SystemRandomNumberGenerator()
        var running: [Queue.Job] = []
        var started: Set<Int> = []
        var refused = 0
        func start(_ job: Queue.Job) {
            #expect(started.insert(job.work).inserted)
            running.append(job)
        }
        for number in 0..<2000 {
            let account = ["alice", "bob", "carol"].randomElement(using: &random) ?? "alice"
            let job = try job(number, of: account, bytes: Int.random(in: 0..<30, using: &random))
            switch take(job, &queue) {
            case "start": start(job)
            case "wait": break
            default: refused += 1
            }
            #expect(queue.atWork == running.count && queue.atWork <= 7 && queue.waiting <= 20 && queue.bytes <= 200)
            if Bool.random(using: &random), !running.isEmpty {
                let index = Int.random(in: running.indices, using: &random)
                queue.finish(running.remove(at: index)).forEach(start)
            }
        }
        while let job = running.popLast() { queue.finish(job).forEach(start) }
        #expect(started.count + refused == 2000)
        #expect(queue.isEmpty && queue.bytes == 0)
    }
}
