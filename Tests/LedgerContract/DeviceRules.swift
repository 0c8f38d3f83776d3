package import LightningCoding
import LightningCrypto
import Platform
package import ResponderModel
import Testing

extension Sample {
    /// The id of the device with that number.
    package static func deviceID(_ number: UInt8) throws -> DeviceID {
        try #require(DeviceID([UInt8](repeating: number, count: 16)))
    }

    /// The address with that number, at Apple's service.
    package static func address(_ number: UInt8) throws -> PushAddress {
        let token = String(repeating: Hexadecimal.encode([number]), count: 32)
        return try #require(PushAddress(platform: "apns", environment: "production", token: token))
    }

    /// What the app of an owner says of an installation.
    static func profile(
        _ owner: UInt8, _ install: String = "phone", secret: UInt8? = nil, locale: String? = nil
    ) throws -> DeviceProfile {
        DeviceProfile(
            owner: try node(owner), install: try #require(InstallID(install)),
            secretHash: SHA256.hash([secret ?? owner] + Array((secret == nil ? install : "").utf8)),
            encryptionKey: try node(9), locale: locale)
    }
}

extension Sample {
    private static let statements = Guarded<UInt64>(0)

    fileprivate static func nextStatement() -> UnixTime {
        start.adding(
            seconds: statements.withLock { count in
                count += 1
                return count
            })
    }
}

extension Ledger {
    /// Registers a device so many seconds after the start.
    @discardableResult
    package func putDevice(
        _ number: UInt8, of owner: UInt8, _ install: String = "phone", at address: UInt8, after seconds: UInt64 = 0
    ) async throws -> Device {
        try await putDevice(
            Sample.profile(owner, install), reachedAt: Sample.address(address), as: Sample.deviceID(number),
            at: Sample.start.adding(seconds: seconds))
    }

    /// The same, by a statement that is newer than all before.
    @discardableResult
    package func putDevice(
        _ profile: DeviceProfile, reachedAt address: PushAddress, as id: DeviceID, at now: UnixTime
    ) async throws(LedgerFault) -> Device {
        try await putDevice(profile, reachedAt: address, signedAt: Sample.nextStatement(), as: id, at: now)
    }

    fileprivate func isLive(_ number: UInt8) async throws -> Bool {
        try await device(Sample.deviceID(number))?.address != nil
    }
}

extension LedgerRule {
    static let devices = [
        LedgerRule("A provider's token is replaced only in place of the one that was known, and each key has its own") {
            ledger in
            func token(_ text: String, _ seconds: UInt64) -> ProviderToken {
                ProviderToken(
                    text: text, issuedAt: Sample.start.adding(seconds: seconds),
                    renewAt: Sample.start.adding(seconds: seconds + 2_400))
            }
            #expect(try await ledger.providerToken(of: "a") == nil)
            let first = try await ledger.keep(token("1", 0), of: "a", replacing: nil)
            #expect(first == token("1", 0))
            // Two that know the same: one is first.
            #expect(try await ledger.keep(token("2", 1), of: "a", replacing: nil) == token("1", 0))
            #expect(try await ledger.keep(token("2", 1), of: "a", replacing: token("1", 0)) == token("2", 1))
            #expect(try await ledger.keep(token("3", 2), of: "a", replacing: token("1", 0)) == token("2", 1))
            #expect(try await ledger.providerToken(of: "a") == token("2", 1))
            #expect(try await ledger.providerToken(of: "b") == nil)
        },
        LedgerRule("A device reads back as written, by its id, its secret and its owner") { ledger in
            let profile = try Sample.profile(1, locale: "nb-NO")
            let device = try await ledger.putDevice(
                profile, reachedAt: Sample.address(1), as: Sample.deviceID(1), at: Sample.start)
            #expect(
                try device
                    == Device(
                        id: Sample.deviceID(1), profile: profile, registeredAt: Sample.start,
                        lastContact: Sample.start, state: .live(Sample.address(1), since: Sample.start),
                        catchUp: CatchUpState()))
            #expect(try await ledger.device(device.id) == device)
            #expect(try await ledger.device(withSecretHash: profile.secretHash) == device)
            #expect(try await ledger.devices(of: Sample.node(1)) == [device])
            #expect(try await ledger.device(Sample.deviceID(2)) == nil)
            #expect(try await ledger.device(withSecretHash: SHA256.hash([99])) == nil)
            #expect(try await ledger.devices(of: Sample.node(2)) == [])
        },
        LedgerRule("Web Push and FCM addresses read back as written") { ledger in
            let point = Base64URL.encode(try P256SecretKey([UInt8](repeating: 7, count: 32)).publicKey.point)
            let secret = Base64URL.encode([UInt8](repeating: 8, count: 16))
            for (number, platform, token) in [
                (1, "fcm", "token:APA91"), (2, "webpush", "https://push.example/x?y \(point) \(secret)"),
            ] as [(UInt8, String, String)] {
                let address = try #require(PushAddress(platform: platform, environment: "production", token: token))
                let device = try await ledger.putDevice(
                    Sample.profile(number), reachedAt: address, as: Sample.deviceID(number), at: Sample.start)
                #expect(device.address == address)
                #expect(try await ledger.device(device.id) == device)
            }
        },
        LedgerRule("An installation that is registered again keeps its id, and its address is as new as that") {
            ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            let again = try await ledger.putDevice(2, of: 1, at: 1, after: 10)
            #expect(try again.id == Sample.deviceID(1))
            #expect(again.registeredAt == Sample.start)
            #expect(again.lastContact == Sample.start.adding(seconds: 10))
            #expect(try again.state == .live(Sample.address(1), since: Sample.start.adding(seconds: 10)))
            let moved = try await ledger.putDevice(2, of: 1, at: 2, after: 20)
            #expect(try moved.state == .live(Sample.address(2), since: Sample.start.adding(seconds: 20)))
            #expect(try await ledger.devices(of: Sample.node(1)) == [moved])
        },
        LedgerRule("An address that changed hands belongs to the newest registration only") { ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            try await ledger.add(Sample.message(1, of: 1))
            try await ledger.putDevice(2, of: 2, at: 1, after: 5)
            let former = try #require(try await ledger.device(Sample.deviceID(1)))
            guard case .dropped(let moment, _) = former.state else { throw SampleFault.missing }
            #expect(moment == Sample.start.adding(seconds: 5))
            #expect(try await ledger.device(Sample.deviceID(2))?.address == Sample.address(1))
            func pending() async throws -> [UInt64] {
                try await ledger.pending(for: former.id, after: 0, at: Sample.start, limit: 10).map(\.sequence)
            }
            #expect(try await pending() == [1])
            // It has no part in what comes later.
            try await ledger.add(Sample.message(2, of: 1))
            #expect(try await pending() == [1])
            let back = try await ledger.putDevice(3, of: 1, at: 1, after: 6)
            #expect(try back.id == Sample.deviceID(1))
            #expect(try await ledger.isLive(1))
            #expect(try await !ledger.isLive(2))
            #expect(back.catchUp == CatchUpState())
            #expect(try await pending() == [1])
        },
        LedgerRule("When an address was last woken goes with it to whoever registers it") { ledger in
            func wake(_ device: Device, after seconds: UInt64) async throws -> CatchUpState {
                let state = CatchUpState(lastWake: Sample.start.adding(seconds: seconds), unanswered: 1)
                #expect(try await ledger.keep(state, of: device.id, replacing: device.catchUp))
                return state
            }
            _ = try await wake(ledger.putDevice(1, of: 1, at: 1), after: 30)
            let second = try await ledger.putDevice(2, of: 2, at: 1, after: 40)
            #expect(second.catchUp == CatchUpState(lastWake: Sample.start.adding(seconds: 30)))
            // A device that takes over an address has both behind it.
            _ = try await wake(ledger.putDevice(3, of: 3, at: 2), after: 20)
            let third = try await ledger.putDevice(3, of: 3, at: 1, after: 50)
            #expect(third.catchUp.lastWake == Sample.start.adding(seconds: 30))
            _ = try await wake(third, after: 60)
            let first = try await ledger.putDevice(1, of: 1, at: 3, after: 70)
            #expect(first.catchUp.lastWake == Sample.start.adding(seconds: 30))
        },
        LedgerRule("When the address of a removed device was last woken goes to whoever registers it next") { ledger in
            let wake = CatchUpState(lastWake: Sample.start.adding(seconds: 30), unanswered: 1)
            let device = try await ledger.putDevice(1, of: 1, at: 1)
            #expect(try await ledger.keep(wake, of: device.id, replacing: device.catchUp))
            #expect(try await ledger.removeDevice(device.id))
            let next = try await ledger.putDevice(2, of: 2, at: 1, after: 40)
            #expect(next.catchUp == CatchUpState(lastWake: wake.lastWake))
            // It goes on from there, and another address has nothing to do with it.
            #expect(try await ledger.removeDevice(next.id))
            #expect(try await ledger.putDevice(3, of: 1, at: 1, after: 50).catchUp.lastWake == wake.lastWake)
            #expect(try await ledger.removeDevice(try await ledger.putDevice(4, of: 4, at: 4).id))
            #expect(try await ledger.putDevice(5, of: 4, at: 4).catchUp == CatchUpState())
        },
        LedgerRule("When the address of a removed device was last woken is forgotten after half an hour") { ledger in
            let wake = CatchUpState(lastWake: Sample.start, unanswered: 1)
            let device = try await ledger.putDevice(1, of: 1, at: 1)
            #expect(try await ledger.keep(wake, of: device.id, replacing: device.catchUp))
            #expect(try await ledger.removeDevice(device.id))
            _ = try await ledger.prune(before: Sample.start.adding(seconds: 1799))
            let back = try await ledger.putDevice(2, of: 1, at: 1)
            #expect(back.catchUp.lastWake == Sample.start)
            #expect(try await ledger.removeDevice(back.id))
            _ = try await ledger.prune(before: Sample.start.adding(seconds: 1800))
            #expect(try await ledger.putDevice(3, of: 1, at: 1).catchUp == CatchUpState())
        },
        LedgerRule("How far a device has caught up can be stored only while a message is pending for it") { ledger in
            let device = try await ledger.putDevice(1, of: 1, at: 1)
            for number in 1...2 as ClosedRange<UInt64> { try await ledger.add(Sample.message(number, of: 1)) }
            try await ledger.putDevice(2, of: 2, at: 2)
            try await ledger.add(Sample.message(3, of: 2))
            let state = CatchUpState(stored: .init(sequence: 1, expires: Sample.start.adding(seconds: 60)))
            try await ledger.confirm(.ids([Sample.messageID(1)]), by: device.id, at: Sample.start)
            for place in [0, 1, 3] as [UInt64] {
                #expect(
                    try await !ledger.keep(state, of: device.id, replacing: CatchUpState(), whilePending: place))
            }
            #expect(try await ledger.device(device.id)?.catchUp == CatchUpState())
            #expect(try await ledger.keep(state, of: device.id, replacing: CatchUpState(), whilePending: 2))
            #expect(try await !ledger.keep(CatchUpState(), of: device.id, replacing: CatchUpState(), whilePending: 2))
            #expect(try await ledger.device(device.id)?.catchUp == state)
        },
        LedgerRule("The same address in another environment is another one") { ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            let token = try Sample.address(1).token
            let sandbox = try #require(PushAddress(platform: "apns", environment: "sandbox", token: token))
            _ = try await ledger.putDevice(
                Sample.profile(2), reachedAt: sandbox, as: Sample.deviceID(2), at: Sample.start)
            #expect(try await ledger.isLive(1))
            #expect(try await ledger.isLive(2))
        },
        LedgerRule("Of two devices that register an address at once, one has it") { ledger in
            for round in 0..<5 as Range<UInt8> {
                await withTaskGroup(of: Void.self) { group in
                    for owner in 1...8 as ClosedRange<UInt8> {
                        group.addTask {
                            _ = try? await ledger.putDevice(round * 8 + owner, of: owner, at: 100 + round)
                        }
                    }
                }
                let address = try Sample.address(100 + round)
                var holders = 0
                for owner in 1...8 as ClosedRange<UInt8> {
                    holders += try await ledger.devices(of: Sample.node(owner)).filter { $0.address == address }.count
                }
                #expect(holders == 1)
            }
        },
        LedgerRule("An owner has ten devices at the most; those without an address do not count, and few are kept") {
            ledger in
            for number in 1...10 as ClosedRange<UInt8> {
                try await ledger.putDevice(number, of: 1, "install\(number)", at: number)
            }
            await #expect(throws: LedgerFault.tooManyDevices) {
                try await ledger.putDevice(11, of: 1, "install11", at: 11)
            }
            #expect(try await ledger.isLive(1))
            try await ledger.putDevice(12, of: 1, "install1", at: 12)
            try await ledger.putDevice(13, of: 2, at: 13)
            // Ten others of the owner are there; but one of them gives up its address.
            for number in 20..<50 as Range<UInt8> {
                _ = try await ledger.dropAddress(
                    of: Sample.deviceID(number == 20 ? 10 : number - 1), setBefore: Sample.start.adding(seconds: 1),
                    because: "gone", at: Sample.start.adding(seconds: UInt64(number)))
                try await ledger.putDevice(number, of: 1, "install\(number)", at: number)
            }
            #expect(try await ledger.devices(of: Sample.node(1)).count == 20)
        },
        LedgerRule("Of an owner's devices that have lost their address the last ten are kept, whatever others lose") {
            ledger in
            func put(_ number: UInt8, of owner: UInt8, droppedAfter seconds: UInt64?) async throws {
                try await ledger.putDevice(number, of: owner, "install\(number)", at: number)
                guard let seconds else { return }
                #expect(
                    try await ledger.dropAddress(
                        of: Sample.deviceID(number), setBefore: Sample.start.adding(seconds: 1), because: "gone",
                        at: Sample.start.adding(seconds: seconds)))
            }
            try await put(1, of: 1, droppedAfter: 1)
            // The first two at the same time.
            for number in 10...20 as ClosedRange<UInt8> {
                try await put(number, of: 2, droppedAfter: UInt64(max(number, 11)))
            }
            try await put(2, of: 1, droppedAfter: nil)
            #expect(try await ledger.devices(of: Sample.node(1)).map(\.id) == [Sample.deviceID(1), Sample.deviceID(2)])
            #expect(try await ledger.devices(of: Sample.node(2)).count == 11)
            try await put(30, of: 2, droppedAfter: nil)
            #expect(
                try await ledger.devices(of: Sample.node(2)).map(\.id)
                    == (11...20).map { try Sample.deviceID($0) } + [Sample.deviceID(30)])
        },
        LedgerRule("An older statement of an installation changes nothing, also after its device was removed") {
            ledger in
            func put(_ secret: UInt8, signedAt seconds: UInt64) async throws -> Device {
                try await ledger.putDevice(
                    Sample.profile(1, secret: secret), reachedAt: Sample.address(secret),
                    signedAt: Sample.start.adding(seconds: seconds), as: Sample.deviceID(secret), at: Sample.start)
            }
            let first = try await put(1, signedAt: 10)
            #expect(try await put(1, signedAt: 10) == first)
            let second = try await put(2, signedAt: 12)
            #expect(second.profile.secretHash != first.profile.secretHash)
            for seconds in [10, 11, 12] as [UInt64] {
                await #expect(throws: LedgerFault.statementReplaced) { try await put(1, signedAt: seconds) }
            }
            #expect(try await put(2, signedAt: 11) == second)
            #expect(try await ledger.device(second.id) == second)
            #expect(try await ledger.removeDevice(second.id))
            for secret in [1, 2] as [UInt8] {
                await #expect(throws: LedgerFault.statementReplaced) { try await put(secret, signedAt: 12) }
            }
            #expect(try await ledger.devices(of: Sample.node(1)).isEmpty)
            #expect(try await put(1, signedAt: 13).address != nil)
            // It is remembered for longer than a statement is good, and not for ever.
            let lease = try await ledger.held(.upkeep)
            let end = DeviceProfile.statementMemory + 13
            _ = try await ledger.prune(before: Sample.start.adding(seconds: end - 1), under: lease)
            await #expect(throws: LedgerFault.statementReplaced) { try await put(2, signedAt: 12) }
            _ = try await ledger.prune(before: Sample.start.adding(seconds: end), under: lease)
            #expect(try await put(2, signedAt: 12).address != nil)
        },
        LedgerRule("A secret belongs to one device") { ledger in
            _ = try await ledger.putDevice(
                Sample.profile(1, secret: 7), reachedAt: Sample.address(1), as: Sample.deviceID(1), at: Sample.start)
            await #expect(throws: LedgerFault.secretInUse) {
                _ = try await ledger.putDevice(
                    Sample.profile(2, secret: 7), reachedAt: Sample.address(1), as: Sample.deviceID(2),
                    at: Sample.start)
            }
            #expect(try await ledger.isLive(1))
        },
        LedgerRule("What a provider says of an address concerns only a device that had it then") { ledger in
            let device = try await ledger.putDevice(1, of: 1, at: 1, after: 10)
            try await ledger.add(Sample.message(1, of: 1))
            let (before, after) = (Sample.start.adding(seconds: 10), Sample.start.adding(seconds: 11))
            #expect(try await !ledger.dropAddress(of: device.id, setBefore: before, because: "x", at: after))
            #expect(try await ledger.device(device.id) == device)
            #expect(try await ledger.dropAddress(of: device.id, setBefore: after, because: "it is gone", at: after))
            #expect(try await ledger.device(device.id)?.state == .dropped(at: after, because: "it is gone"))
            #expect(try await !ledger.dropAddress(of: device.id, setBefore: after, because: "y", at: after))
            #expect(try await ledger.pending(for: device.id, after: 0, at: after, limit: 10).count == 1)
        },
        LedgerRule("How far a device has caught up is stored only over what was read before") { ledger in
            let device = try await ledger.putDevice(1, of: 1, at: 1)
            let one = CatchUpState(
                lastWake: Sample.start, wakeDue: Sample.start.adding(seconds: 1800),
                stored: .init(sequence: 3, expires: Sample.start.adding(seconds: 60)), unanswered: 2)
            let other = CatchUpState(wakeDue: Sample.start, unanswered: 1)
            #expect(try await ledger.keep(one, of: device.id, replacing: CatchUpState()))
            #expect(try await ledger.device(device.id)?.catchUp == one)
            #expect(try await !ledger.keep(other, of: device.id, replacing: CatchUpState()))
            #expect(try await ledger.keep(other, of: device.id, replacing: one))
            #expect(try await ledger.device(device.id)?.catchUp == other)
            #expect(try await !ledger.keep(one, of: Sample.deviceID(2), replacing: CatchUpState()))
        },
        LedgerRule("Devices are to be woken when they are due, longest due first, while they have an address") {
            ledger in
            for number in 1...4 as ClosedRange<UInt8> {
                let device = try await ledger.putDevice(number, of: number, at: number)
                let due = CatchUpState(wakeDue: Sample.start.adding(seconds: 100 - UInt64(number)))
                if number < 4 { _ = try await ledger.keep(due, of: device.id, replacing: CatchUpState()) }
            }
            func due(_ seconds: UInt64, limit: Int = 10) async throws -> [DeviceID] {
                try await ledger.devicesToWake(at: Sample.start.adding(seconds: seconds), limit: limit).map(\.id)
            }
            #expect(try await due(96) == [])
            #expect(try await due(98) == [Sample.deviceID(3), Sample.deviceID(2)])
            #expect(try await due(100, limit: 1) == [Sample.deviceID(3)])
            _ = try await ledger.dropAddress(
                of: Sample.deviceID(3), setBefore: Sample.start.adding(seconds: 1), because: "x", at: Sample.start)
            #expect(try await due(100) == [Sample.deviceID(2), Sample.deviceID(1)])
        },
        LedgerRule("Devices are listed newest first, and a removed one is gone") { ledger in
            for number in 1...3 as ClosedRange<UInt8> { try await ledger.putDevice(number, of: number, at: number) }
            let first = try await ledger.devices(after: nil, limit: 2)
            #expect(try first.elements.map(\.id) == [Sample.deviceID(3), Sample.deviceID(2)])
            let second = try await ledger.devices(after: first.next, limit: 2)
            #expect(try second.elements.map(\.id) == [Sample.deviceID(1)] && second.next == nil)
            #expect(try await ledger.removeDevice(Sample.deviceID(2)))
            #expect(try await !ledger.removeDevice(Sample.deviceID(2)))
            #expect(try await ledger.device(Sample.deviceID(2)) == nil)
            #expect(try await ledger.devices(after: nil, limit: 10).elements.count == 2)
        },
    ]
}

/// A sample is not what it should be.
private enum SampleFault: Error {
    case missing
}
