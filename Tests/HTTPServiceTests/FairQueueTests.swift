import LNURL
import ResponderModel
import Testing
@testable import HTTPService

@Suite("The fair queue", .timeLimit(.minutes(2)))
struct FairQueueTests {
    private typealias Queue = FairQueue<Int>

    private func job(_ number: Int, of account: String = "alice", bytes: Int = 1) throws -> Queue.Job {
        Queue.Job(account: try AccountID("\(account)@example.com"), bytes: bytes, work: number)
    }

    /// The actions for an event, as text.
    private func words(_ actions: [Queue.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .start(let job): "start \(job.work)"
            case .refuse(let refusal): "refuse \(refusal)"
            case .end: "end"
            }
        }
    }

    @Test("Work starts at once while there is capacity, then waits in order, and is then refused")
    func places() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 2, atWorkForAccount: 2, waiting: 1, bytes: 100))
        #expect(words(queue.on(.arrived(try job(1)))) == ["start 1"])
        #expect(words(queue.on(.arrived(try job(2)))) == ["start 2"])
        #expect(words(queue.on(.arrived(try job(3)))) == [])
        #expect(words(queue.on(.arrived(try job(4)))) == ["refuse full"])
        #expect(words(queue.on(.finished(try job(1)))) == ["start 3"])
        #expect(words(queue.on(.finished(try job(2)))) == [])
        #expect(queue.atWork == 1)
    }

    @Test("Queued bytes are bounded, and released when the work is done")
    func bytes() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 9, atWorkForAccount: 9, waiting: 9, bytes: 100))
        #expect(words(queue.on(.arrived(try job(1, bytes: 60)))) == ["start 1"])
        #expect(words(queue.on(.arrived(try job(2, bytes: 41)))) == ["refuse full"])
        #expect(words(queue.on(.arrived(try job(3, bytes: 40)))) == ["start 3"])
        _ = queue.on(.finished(try job(1, bytes: 60)))
        #expect(queue.bytes == 40)
        #expect(words(queue.on(.arrived(try job(4, bytes: .max)))) == ["refuse full"])
    }

    @Test("An account whose work never ends leaves capacity for the others")
    func oneHangs() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 4, atWorkForAccount: 2, waiting: 100, bytes: 1000))
        for number in 1...50 { _ = queue.on(.arrived(try job(number, of: "alice"))) }
        #expect(queue.atWork == 2)
        #expect(words(queue.on(.arrived(try job(60, of: "bob")))) == ["start 60"])
        #expect(words(queue.on(.finished(try job(60, of: "bob")))) == [])
        #expect(words(queue.on(.finished(try job(1, of: "alice")))) == ["start 3"])
    }

    @Test("Accounts take turns")
    func turns() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 1, atWorkForAccount: 1, waiting: 100, bytes: 1000))
        _ = queue.on(.arrived(try job(0, of: "carol")))
        for number in 1...3 { _ = queue.on(.arrived(try job(number, of: "alice"))) }
        for number in 11...12 { _ = queue.on(.arrived(try job(number, of: "bob"))) }
        var order: [String] = []
        var done = try job(0, of: "carol")
        while case .start(let next)? = queue.on(.finished(done)).first {
            order.append("\(next.work)")
            done = next
        }
        #expect(order == ["1", "11", "2", "12", "3"])
        #expect(queue.atWork == 0 && queue.waiting == 0 && queue.bytes == 0)
    }

    @Test("Once closed, nothing is accepted, accepted work is done, and then the queue ends")
    func closing() throws {
        var queue = Queue(limits: NotificationQueueLimits(atWork: 1, atWorkForAccount: 1, waiting: 9, bytes: 100))
        _ = queue.on(.arrived(try job(1)))
        _ = queue.on(.arrived(try job(2)))
        #expect(words(queue.on(.closed)) == [])
        #expect(words(queue.on(.arrived(try job(3)))) == ["refuse closed"])
        #expect(words(queue.on(.finished(try job(1)))) == ["start 2"])
        #expect(words(queue.on(.finished(try job(2)))) == ["end"])
        var empty = Queue(limits: NotificationQueueLimits())
        #expect(words(empty.on(.closed)) == ["end"])
    }

    @Test("For any sequence of events, every job is started once or refused, and the limits hold")
    func everyJob() throws {
        let limits = NotificationQueueLimits(atWork: 7, atWorkForAccount: 3, waiting: 20, bytes: 200)
        var queue = Queue(limits: limits)
        var random = SystemRandomNumberGenerator()
        var running: [Queue.Job] = []
        var started: Set<Int> = []
        var refused = 0
        func take(_ actions: [Queue.Action]) {
            for action in actions {
                switch action {
                case .start(let job):
                    #expect(started.insert(job.work).inserted)
                    running.append(job)
                case .refuse: refused += 1
                case .end: break
                }
            }
        }
        for number in 0..<2000 {
            let account = ["alice", "bob", "carol"].randomElement(using: &random) ?? "alice"
            take(queue.on(.arrived(try job(number, of: account, bytes: Int.random(in: 0..<30, using: &random)))))
            #expect(queue.atWork == running.count && queue.atWork <= 7 && queue.waiting <= 20 && queue.bytes <= 200)
            if Bool.random(using: &random), !running.isEmpty {
                let index = Int.random(in: running.indices, using: &random)
                take(queue.on(.finished(running.remove(at: index))))
            }
        }
        while let job = running.popLast() { take(queue.on(.finished(job))) }
        #expect(started.count + refused == 2000)
        #expect(queue.atWork == 0 && queue.waiting == 0 && queue.bytes == 0)
    }
}
