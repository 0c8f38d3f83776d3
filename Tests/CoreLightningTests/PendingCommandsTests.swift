import Testing

@testable import CoreLightning

@Suite("Pending commands", .timeLimit(.minutes(2)))
struct PendingCommandsTests {
    private var pending = PendingCommands<String>(maximum: 2, maximumEvents: 1)

    @Test("A response goes to the waiter of its number, once")
    mutating func answers() {
        let added = [1, 2].map { pending.add($0, "\($0)", waitsForEvent: false) }
        #expect(added == [true, true])
        let answered = [2, 1, 1].map { pending.answer($0).description }
        #expect(answered == ["2", "1", "unknown"])
    }

    @Test("The number of pending commands is limited; those that wait for an event have a limit of their own")
    mutating func room() {
        let added = [
            pending.add(1, "1", waitsForEvent: false), pending.add(2, "2", waitsForEvent: false),
            pending.add(3, "3", waitsForEvent: false), pending.add(4, "4", waitsForEvent: true),
            pending.add(5, "5", waitsForEvent: true),
        ]
        #expect(added == [true, true, false, true, false])
        _ = pending.answer(1)
        let afterwards = [pending.add(6, "6", waitsForEvent: true), pending.add(7, "7", waitsForEvent: false)]
        #expect(afterwards == [false, true])
    }

    @Test("An abandoned command stays pending until its response, which goes to nobody")
    mutating func givenUp() {
        for number in [1, 2] as [UInt64] { _ = pending.add(number, "\(number)", waitsForEvent: false) }
        let waiters = [pending.giveUp(1)?.waiter, pending.giveUp(1)?.waiter]
        #expect(waiters == ["1", nil])
        let before = pending.add(3, "3", waitsForEvent: false)
        let match = pending.answer(1).description
        let after = pending.add(3, "3", waitsForEvent: false)
        #expect(!before)
        #expect(match == "nobody")
        #expect(after)
    }

    @Test("A node is silent when no response at all has arrived since the command was sent")
    mutating func silence() {
        for number in [1, 2] as [UInt64] { _ = pending.add(number, "\(number)", waitsForEvent: false) }
        _ = pending.answer(2)
        let busy = pending.giveUp(1)?.isSilent
        _ = pending.add(3, "3", waitsForEvent: false)
        let silent = pending.giveUp(3)?.isSilent
        #expect(busy == false)
        #expect(silent == true)
    }
}

extension PendingCommands.Match where Waiter == String {
    fileprivate var description: String {
        switch self {
        case .waiter(let waiter): waiter
        case .nobody: "nobody"
        case .unknown: "unknown"
        }
    }
}
