import LedgerRecords
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
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

/// A service over a ledger in SQLite, APNs with one place for each phone, and a phone that is off at times. Service and
/// phone may be killed wherever something is about to happen. What is stored survives; all the rest is lost.
///
/// Silent messages, which an owner asks for instead of alerts, are none of it: the app fetches when it gets one.
private struct Play {
    private struct Killed: Error {}

    private enum Notification {
        case alert(UInt64)
        case wake
    }

    private var generator: SeededGenerator
    private let time: Guarded<UnixTime>
    private let mayBeKilled: Bool
    private var isEnding = false
    private static let lifetime: UInt64 = 6 * 3600

    // The service: the ledger, and the messages that are in the outbox.
    private let ledger: LedgerDatabase
    private let center: MessageCenter
    private let device: Device
    private(set) var messages: UInt64 = 0
    private var queued: Set<UInt64> = []

    // APNs.
    private var place: (notification: Notification, expires: UnixTime)?
    private var isOnline = true

    // The phone stores what it has shown and what it has not reported.
    private var known: Set<UInt64> = []
    private var unreported: Set<UInt64> = []

    // What is checked: how often a message was shown and its alert sent, when the phone was woken, how many alerts a
    // wake has replaced, and by how many seconds a wake was due too late after a report.
    private(set) var displays: [UInt64: Int] = [:]
    private(set) var wakes: [UnixTime] = []
    private(set) var replaced = 0
    private(set) var delay: UInt64 = 0
    private(set) var kills = 0

    init(seed: UInt64, mayBeKilled: Bool, on ledger: LedgerDatabase) async throws {
        generator = SeededGenerator(seed: seed)
        self.mayBeKilled = mayBeKilled
        self.ledger = ledger
        let time = Guarded(UnixTime(1_790_000_000))
        self.time = time
        center = MessageCenter(
            ledger, audience: "pay.example", handles: DeviceHandles(secret: SecretBytes([1])),
            clock: { time.withLock { $0 } })
        let token = SHA256.hash("token \(seed)".utf8)
        let key = try SecretKey(SHA256.hash("owner \(seed)".utf8)).publicKey
        let address = PushAddress(
            platform: "apns", environment: "production", token: Hexadecimal.encode(token))
        device = try await ledger.putDevice(
            DeviceProfile(
                owner: key, install: #require(InstallID("phone")), secretHash: SHA256.hash(token), encryptionKey: key),
            reachedAt: #require(address), signedAt: UnixTime(1_790_000_000),
            as: #require(DeviceID(Array(token.prefix(16)))), at: UnixTime(1_790_000_000))
    }

    private var now: UnixTime { time.withLock { $0 } }

    private func wait(until moment: UnixTime) { time.withLock { $0 = max($0, moment) } }

    private var state: CatchUpState {
        get async throws { try #require(try await ledger.device(device.id)).catchUp }
    }

    private func pending() async throws -> [UInt64] {
        try await ledger.pending(for: device.id, after: 0, at: now, limit: 100).map(\.sequence)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func kill(_ percent: Int = 10) throws {
        guard mayBeKilled, !isEnding, chance(percent) else { return }
        kills += 1
        throw Killed()
    }

    private mutating func untilKilled(_ work: (inout Play) async throws -> Void) async throws {
        do { try await work(&self) } catch is Killed {}
    }

    // MARK: the service

    private mutating func add() async throws {
        messages += 1
        try await ledger.add(
            DeviceMessage.Content(
                id: #require(MessageID("m\(messages)")), owner: device.profile.owner, type: .paymentReceived,
                priority: .normal, title: "t", body: "b", createdAt: now,
                expiresAt: now.adding(seconds: 30 * 86_400)))
        queued.insert(messages)
    }

    private mutating func sendQueued() async throws {
        for sequence in queued.sorted() {
            if try await pending().contains(sequence) {
                try kill()
                let expires = now.adding(seconds: Self.lifetime)
                try await push(.alert(sequence), until: expires)
                try kill()
                try await center.noteAccepted(.init(sequence: sequence, expires: expires), for: device.id)
            }
            queued.remove(sequence)
        }
    }

    private mutating func keepTime() async throws {
        for id in try await center.devicesToWake() where id == device.id {
            guard try await center.deviceToWake(id) != nil else { continue }
            try kill()
            wakes.append(now)
            try await push(.wake, until: now.adding(seconds: 3600))
            try kill()
            try await center.noteWoken(id)
        }
    }

    private mutating func takeReport(of sequence: UInt64) async throws {
        try await center.noteDelivered(Array(#"{"ids":["m\#(sequence)"]}"#.utf8), by: device)
        guard try await !pending().isEmpty else { return }
        let state = try await state
        let latest = max(now.adding(seconds: 30), state.lastWake?.adding(seconds: 1800) ?? UnixTime(0))
        delay = max(delay, try #require(state.wakeDue).seconds(since: latest))
    }

    // MARK: APNs

    private mutating func push(_ notification: Notification, until expires: UnixTime) async throws {
        if case .wake = notification, let stored = place, case .alert = stored.notification, now < stored.expires {
            replaced += 1
        }
        place = (notification, expires)
        // What becomes of the phone does not concern the service.
        try await untilKilled { try await $0.deliver() }
    }

    private mutating func deliver() async throws {
        guard let (notification, expires) = place, isOnline else { return }
        place = nil
        // Delivery is best effort, that of silent ones more so.
        if !isEnding, case .wake = notification, chance(40) { return }
        if now < expires { try await receive(notification) }
    }

    // MARK: the phone

    private mutating func receive(_ notification: Notification) async throws {
        switch notification {
        case .alert(let sequence):
            // The system shows it, whatever the app knows.
            show(sequence)
            unreported.insert(sequence)
            try kill(30)
            try await report()
        case .wake:
            try kill(30)
            try await catchUp()
        }
    }

    private mutating func show(_ sequence: UInt64) {
        known.insert(sequence)
        displays[sequence, default: 0] += 1
    }

    private mutating func report() async throws {
        for sequence in unreported.sorted() {
            try await takeReport(of: sequence)
            try kill()
            unreported.remove(sequence)
        }
    }

    /// Shows what is pending unless it has, and says so by the next fetch.
    private mutating func catchUp() async throws {
        guard isOnline else { return }
        var last: UInt64 = 0
        while true {
            let fetched = try await center.fetch(after: last, by: device)["data"]?.array ?? []
            let sequences = fetched.compactMap { $0["seq"]?.uint64 }
            guard let highest = sequences.last else { break }
            for sequence in sequences where !known.contains(sequence) {
                try kill()
                show(sequence)
            }
            try kill()
            last = highest
        }
        unreported = []
    }

    // MARK: the play

    mutating func step() async throws {
        wait(until: now.adding(seconds: UInt64.random(in: 1...1200, using: &generator)))
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...3: try await add()
        case 4: isOnline = false
        case 5, 6:
            isOnline = true
            try await untilKilled { try await $0.deliver() }
        case 7: if chance(10) { try await untilKilled { try await $0.catchUp() } }
        default: break
        }
        try await untilKilled { try await $0.sendQueued() }
        try await untilKilled { try await $0.keepTime() }
    }

    /// The phone is on, nobody is killed any more, and time goes on. Returns how many seconds passed before there was
    /// nothing left to do; nil when that did not come about.
    mutating func finish() async throws -> UInt64? {
        isEnding = true
        isOnline = true
        let start = now
        try await deliver()
        for _ in 0..<100 {
            try await sendQueued()
            try await report()
            guard let due = try await state.wakeDue else { break }
            wait(until: due)
            try await keepTime()
        }
        let isQuiet = try await pending().isEmpty && queued.isEmpty && place == nil && unreported.isEmpty
        return isQuiet ? now.seconds(since: start) : nil
    }
}

@Suite("Catching up, played with random kills", .timeLimit(.minutes(5)))
struct CatchUpProperties {
    private let folder = TemporaryFolder()

    private func played(_ seeds: Range<UInt64>, mayBeKilled: Bool, _ check: (Play) -> Void) async throws {
        let ledger = try await LedgerDatabase.open(at: "\(folder.path)/ledger.sqlite")
        for seed in seeds {
            var play = try await Play(seed: seed, mayBeKilled: mayBeKilled, on: ledger)
            for _ in 0..<60 { try await play.step() }
            // The longest pause between two wakes is 16 hours.
            #expect(try await play.finish().map { $0 <= 57_600 } == true, "seed \(seed)")
            #expect(Set(play.displays.keys) == Set((0..<play.messages).map { $0 + 1 }), "seed \(seed)")
            #expect(play.delay == 0, "seed \(seed)")
            for (one, next) in zip(play.wakes, play.wakes.dropFirst()) {
                #expect(next.seconds(since: one) >= 1800, "seed \(seed)")
            }
            check(play)
        }
        await ledger.close()
    }

    @Test(
        "Whatever is killed when, each message is shown, again only after a kill; wakes are rare, and due soon after a report",
        arguments: 0..<8 as Range<UInt64>)
    func killed(block: UInt64) async throws {
        var (wakes, kills) = (0, 0)
        try await played(block * 12..<(block + 1) * 12, mayBeKilled: true) { play in
            let again = play.displays.values.reduce(0) { $0 + $1 - 1 }
            #expect(again <= play.kills)
            wakes += play.wakes.count
            kills += play.kills
        }
        #expect(wakes > 12 && kills > 12)
    }

    @Test(
        "While nothing is killed each message is shown exactly once, and no wake replaces an alert",
        arguments: 100..<104 as Range<UInt64>)
    func undisturbed(block: UInt64) async throws {
        var wakes = 0
        try await played(block * 12..<(block + 1) * 12, mayBeKilled: false) { play in
            #expect(play.displays.values.allSatisfy { $0 == 1 })
            #expect(play.replaced == 0)
            wakes += play.wakes.count
        }
        #expect(wakes > 12)
    }
}
