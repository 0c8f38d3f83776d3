import Contracts
import LightningCoding
import Testing

@testable import Devices

/// A generator that repeats what it gave for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A service, APNs with one place for each phone, and a phone that is off at times. Each of them may be killed wherever
/// something is about to happen. What is stored survives; all the rest is lost.
private struct Play {
    private struct Killed: Error {}

    private enum Notification {
        case alert(UInt64)
        case wake
    }

    var generator: SeededGenerator
    private var now = UnixTime(1_790_000_000)
    private var canBeKilled = true
    private static let lifetime: UInt64 = 6 * 3600

    // Stored by the service.
    private(set) var messages: UInt64 = 0
    private var confirmed: Set<UInt64> = []
    private var queued: Set<UInt64> = []
    private(set) var machine = CatchUp()
    private(set) var wakes: [UnixTime] = []

    // APNs.
    private var place: (notification: Notification, expires: UnixTime)?
    private var isOnline = true

    // Stored by the phone; what the system shows, it shows by the message's id.
    private(set) var shown: [UInt64: Int] = [:]
    private var unreported: Set<UInt64> = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private var isPending: Bool { confirmed.count < messages }
    var isQuiet: Bool {
        !isPending && queued.isEmpty && place == nil && unreported.isEmpty && machine.state.wakeDue == nil
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func kill(_ percent: Int = 10) throws(Killed) {
        if canBeKilled, chance(percent) { throw Killed() }
    }

    // MARK: the service

    private mutating func add() {
        messages += 1
        queued.insert(messages)
    }

    private mutating func sendQueued() throws(Killed) {
        for sequence in queued.sorted() {
            try kill()
            let expires = now.adding(seconds: Self.lifetime)
            push(.alert(sequence), until: expires)
            try kill()
            _ = machine.on(.accepted(.init(sequence: sequence, expires: expires)), isPending: isPending, at: now)
            queued.remove(sequence)
        }
    }

    private mutating func keepTime() throws(Killed) {
        guard machine.on(.time, isPending: isPending, at: now) == .wake else { return }
        try kill()
        wakes.append(now)
        push(.wake, until: now.adding(seconds: 3600))
    }

    private mutating func takeReport(of sequence: UInt64) {
        confirmed.insert(sequence)
        _ = machine.on(.delivered(sequence: sequence), isPending: isPending, at: now)
    }

    private mutating func fetch(confirming seen: [UInt64]) -> [UInt64] {
        confirmed.formUnion(seen)
        let pending = messages == 0 ? [] : (1...messages).filter { !confirmed.contains($0) }
        _ = machine.on(.fetched, isPending: !pending.isEmpty, at: now)
        return pending
    }

    // MARK: APNs

    private mutating func push(_ notification: Notification, until expires: UnixTime) {
        place = (notification, expires)
        deliver()
    }

    private mutating func deliver() {
        guard let (notification, expires) = place, isOnline else { return }
        place = nil
        // Delivery is best effort, that of silent ones more so.
        if canBeKilled, case .wake = notification, chance(40) { return }
        if now < expires { try? receive(notification) }
    }

    // MARK: the phone

    private mutating func receive(_ notification: Notification) throws(Killed) {
        switch notification {
        case .alert(let sequence):
            show(sequence)
            unreported.insert(sequence)
            try kill(30)
            try report()
        case .wake:
            try kill(30)
            try catchUp()
        }
    }

    private mutating func show(_ sequence: UInt64) {
        if shown[sequence] == nil { shown[sequence] = 1 }
    }

    private mutating func report() throws(Killed) {
        for sequence in unreported.sorted() {
            takeReport(of: sequence)
            try kill()
            unreported.remove(sequence)
        }
    }

    /// Shows what is pending, and says so by the next fetch.
    private mutating func catchUp() throws(Killed) {
        guard isOnline else { return }
        while true {
            let pending = fetch(confirming: shown.keys.sorted())
            if pending.isEmpty { break }
            for sequence in pending {
                try kill()
                show(sequence)
            }
            try kill()
        }
        unreported = []
    }

    // MARK: the play

    mutating func step() {
        now = now.adding(seconds: UInt64.random(in: 1...1200, using: &generator))
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...3: add()
        case 4: isOnline = false
        case 5, 6:
            isOnline = true
            deliver()
        case 7: if chance(10) { try? catchUp() }
        default: break
        }
        try? sendQueued()
        try? keepTime()
    }

    /// The phone is on, nobody is killed any more, and time goes on.
    mutating func finish() {
        canBeKilled = false
        isOnline = true
        deliver()
        for _ in 0..<100 where !isQuiet {
            try? sendQueued()
            try? report()
            if let due = machine.state.wakeDue { now = max(now, due) }
            try? keepTime()
        }
    }
}

@Suite("Catching up, played with random kills", .timeLimit(.minutes(2)))
struct CatchUpProperties {
    @Test("Each of n messages is shown exactly once, whatever is killed when", arguments: 0..<8 as Range<UInt64>)
    func everyMessageOnce(block: UInt64) {
        for seed in block * 250..<(block + 1) * 250 {
            var play = Play(seed: seed)
            for _ in 0..<60 { play.step() }
            play.finish()
            #expect(play.isQuiet, "seed \(seed)")
            #expect(play.shown.count == Int(play.messages), "seed \(seed)")
            #expect(play.shown.values.allSatisfy { $0 == 1 }, "seed \(seed)")
        }
    }

    @Test("A phone is woken at most once in half an hour", arguments: 0..<8 as Range<UInt64>)
    func wakesAreRare(block: UInt64) {
        var wakes = 0
        for seed in block * 250..<(block + 1) * 250 {
            var play = Play(seed: seed)
            for _ in 0..<60 { play.step() }
            play.finish()
            wakes += play.wakes.count
            for (one, next) in zip(play.wakes, play.wakes.dropFirst()) {
                #expect(next.seconds(since: one) >= 1800, "seed \(seed)")
            }
        }
        #expect(wakes > 250)
    }
}
