import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
@testable import Devices

@Suite("What devices ask of the service", .timeLimit(.minutes(5)))
struct MessageCenterTests {
    private static let start = UnixTime(1_790_000_000)
    private let folder = TemporaryFolder()
    private let time = Guarded(Self.start)
    private let signed = Guarded<UInt64>(0)
    private let wallet: SecretKey
    private let other: SecretKey

    init() throws {
        wallet = try SecretKey([UInt8](repeating: 0x33, count: 32))
        other = try SecretKey([UInt8](repeating: 0x44, count: 32))
    }

    private func center() async throws -> (MessageCenter, any DeviceLedger) {
        let ledger = try await LedgerDatabase.open(at: "\(folder.path)/ledger.sqlite")
        let center = MessageCenter(
            ledger, audience: "pay.example", handles: DeviceHandles(secret: SecretBytes([1])),
            clock: { [time] in time.withLock { $0 } })
        return (center, ledger)
    }

    /// Each statement is newer than those before.
    private func newer() -> UInt64 {
        signed.withLock { count in
            defer { count += 1 }
            return count
        }
    }

    private func wait(_ seconds: UInt64) { time.withLock { $0 = $0.adding(seconds: seconds) } }

    /// The body that a wallet signs and sends.
    private func body(
        of key: SecretKey, secret: DeviceSecret, token: String = String(repeating: "0a", count: 32),
        audience: String = "pay.example", install: String = "phone", changing: [(String, JSONValue)] = []
    ) throws -> [UInt8] {
        let identity = "ln:\(key.publicKey)"
        var object: JSONObject = [
            "app": "wallet", "platform": "apns", "environment": "production", "push_token": .string(token),
            "encryption_key": .string(key.publicKey.hexadecimal),
            "secret_sha256": .string(Hexadecimal.encode(secret.hash)), "identities": [.string(identity)],
            "topics": ["b", "a"], "ts": .unsigned(Self.start.seconds + newer()),
            "proofs": [["identity": .string(identity), "sig": "y"]],
        ]
        let id = try #require(InstallID(install))
        let text = try DeviceStatement(JSONMembers(object), of: id).text(for: audience)
        object["proofs"] = [
            ["identity": .string(identity), "sig": .string(try LightningMessage.sign(text, with: key))]
        ]
        for (key, value) in changing { object[key] = value }
        return JSONValue.object(object).serializedBytes()
    }

    private func secret() throws -> DeviceSecret { try DeviceSecret(random: SystemRandom.bytes) }

    private func phone() throws -> InstallID { try #require(InstallID("phone")) }

    private func registered(_ center: MessageCenter) async throws -> Device {
        try await center.register(body(of: wallet, secret: secret()), of: phone())
    }

    private func message(_ number: UInt64, to key: SecretKey? = nil) throws -> DeviceMessage.Content {
        DeviceMessage.Content(
            id: try #require(MessageID("m\(number)")), owner: (key ?? wallet).publicKey, type: .paymentReceived,
            priority: .normal, title: "You received \(number) sat", body: "b", createdAt: Self.start,
            expiresAt: Self.start.adding(seconds: 86_400))
    }

    private func numbers(_ page: JSONObject) -> [UInt64] {
        page["data"]?.array?.compactMap { $0["seq"]?.uint64 } ?? []
    }

    private func json(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("A device that its owner has signed for is registered, and known by its secret")
    func register() async throws {
        let (center, _) = try await center()
        let secret = try secret()
        let device = try await center.register(body(of: wallet, secret: secret), of: phone())
        #expect(device.profile.owner == wallet.publicKey)
        #expect(try await center.device(showing: "Bearer \(secret.disclosed)") == device)
    }

    @Test("A registration for another service, installation or secret, or by another key, is refused")
    func signatures() async throws {
        let (center, _) = try await center()
        let secret = try secret()
        let phone = try phone()
        let refused = MessageCenterRefusal.statement(.signature)
        let foreign = "ln:\(other.publicKey)"
        let sig: JSONValue = .string(try LightningMessage.sign("x", with: other))
        let bodies: [[UInt8]] = [
            try body(of: wallet, secret: secret, audience: "other.example"),
            try body(of: wallet, secret: secret, install: "tablet"),
            try body(of: wallet, secret: secret, changing: [("app", "another")]),
            try body(of: wallet, secret: secret, changing: [("topics", ["a"])]),
            try body(
                of: wallet, secret: secret,
                changing: [("secret_sha256", .string(Hexadecimal.encode(try self.secret().hash)))]),
            try body(
                of: wallet, secret: secret, changing: [("push_token", .string(String(repeating: "0b", count: 32)))]),
            try body(
                of: wallet, secret: secret,
                changing: [
                    ("identities", [.string(foreign)]), ("proofs", [["identity": .string(foreign), "sig": sig]]),
                ]),
        ]
        for body in bodies {
            await #expect(throws: refused) { try await center.register(body, of: phone) }
        }
    }

    @Test("A registration is good for ten minutes before and after its time")
    func clocks() async throws {
        let (center, _) = try await center()
        let body = try body(of: wallet, secret: secret())
        let phone = try phone()
        wait(600)
        _ = try await center.register(body, of: phone)
        wait(1)
        await #expect(throws: MessageCenterRefusal.statement(.time)) { try await center.register(body, of: phone) }
        time.withLock { $0 = UnixTime(Self.start.seconds - 601) }
        await #expect(throws: MessageCenterRefusal.statement(.time)) { try await center.register(body, of: phone) }
    }

    @Test(
        "A malformed registration is refused by the member that is wrong",
        arguments: [
            ("app", "a b"), ("platform", "sms"), ("environment", "beta"), ("push_token", "xyz"),
            ("encryption_key", "02ff"), ("secret_sha256", "00"), ("identities", []), ("identities", ["pk:x"]),
            ("identities", ["ln:02ff"]), ("topics", ["a,b"]), ("topics", [""]), ("topics", "a"), ("ts", -1),
            ("proofs", []), ("locale", "a b"),
        ] as [(String, JSONValue)])
    func malformed(member: String, value: JSONValue) async throws {
        let (center, _) = try await center()
        let body = try body(of: wallet, secret: secret(), changing: [(member, value)])
        let phone = try phone()
        var refusal: MessageCenterRefusal?
        do throws(MessageCenterRefusal) {
            _ = try await center.register(body, of: phone)
        } catch {
            refusal = error
        }
        let expected = ["platform", "environment"].contains(member) ? "push_token" : member
        #expect(refusal?.code == "invalid_request")
        #expect(refusal?.reason.begins(with: expected) == true)
    }

    @Test("Without the secret of a device there is no answer")
    func bearer() async throws {
        let (center, _) = try await center()
        _ = try await registered(center)
        let unknown = try secret().disclosed
        for field in [nil, "", "Bearer", "Bearer x", "Basic \(unknown)", "Bearer \(unknown)", "bearer \(unknown)"] {
            await #expect(throws: MessageCenterRefusal.unauthorized) { try await center.device(showing: field) }
        }
    }

    @Test("A token that changed hands delivers to nobody else")
    func handOver() async throws {
        let (center, ledger) = try await center()
        let former = try await registered(center)
        try await ledger.add(message(1))
        let latter = try await center.register(body(of: other, secret: secret()), of: phone())
        #expect(latter.address == former.address)
        #expect(try await ledger.device(former.id)?.address == nil)
        #expect(numbers(try await center.fetch(after: 0, by: latter)) == [])
        #expect(numbers(try await center.fetch(after: 0, by: former)) == [1])
    }

    @Test("What is fetched is confirmed by the next fetch, and then not given again")
    func fetch() async throws {
        let (center, ledger) = try await center()
        let device = try await registered(center)
        for number in 1...3 as ClosedRange<UInt64> { try await ledger.add(message(number)) }
        #expect(numbers(try await center.fetch(after: 0, by: device)) == [1, 2, 3])
        #expect(numbers(try await center.fetch(after: 0, by: device)) == [1, 2, 3])
        #expect(numbers(try await center.fetch(after: 2, by: device)) == [3])
        #expect(numbers(try await center.fetch(after: 0, by: device)) == [3])
        #expect(numbers(try await center.fetch(after: 3, by: device)) == [])
        #expect(try await ledger.device(device.id)?.catchUp.wakeDue == nil)
    }

    @Test("A phone that was off reports the one alert that it got, is woken once, and fetches the rest")
    func airplaneMode() async throws {
        let (center, ledger) = try await center()
        let device = try await registered(center)
        for number in 1...4 as ClosedRange<UInt64> {
            try await ledger.add(message(number))
            try await center.noteAccepted(
                .init(sequence: number, expires: Self.start.adding(seconds: 86_400)), for: device.id)
        }
        wait(7200)
        #expect(try await center.wokenNow().isEmpty)
        try await center.noteDelivered(json(#"{"ids":["m4"]}"#), by: device)
        wait(29)
        #expect(try await center.wokenNow().isEmpty)
        wait(1)
        #expect(try await center.wokenNow().map(\.id) == [device.id])
        #expect(try await center.wokenNow().isEmpty)
        #expect(numbers(try await center.fetch(after: 0, by: device)) == [1, 2, 3])
        #expect(numbers(try await center.fetch(after: 4, by: device)) == [])
        wait(86_400)
        #expect(try await center.wokenNow().isEmpty)
    }

    @Test("An alert whose message was fetched before is not thought to be stored")
    func lateReport() async throws {
        let (center, ledger) = try await center()
        let device = try await registered(center)
        try await ledger.add(message(1))
        _ = try await center.fetch(after: 0, by: device)
        _ = try await center.fetch(after: 1, by: device)
        let alert = CatchUpState.StoredAlert(sequence: 1, expires: Self.start.adding(seconds: 86_400))
        try await center.noteAccepted(alert, for: device.id)
        #expect(try await ledger.device(device.id)?.catchUp == CatchUpState())
        try await center.noteDelivered(json(#"{"ids":["m1"]}"#), by: device)
        #expect(try await ledger.device(device.id)?.catchUp == CatchUpState())
    }

    @Test("An alert that is reported before the provider's answer is not thought to be stored")
    func earlyReport() async throws {
        let (center, ledger) = try await center()
        let device = try await registered(center)
        for number in 1...2 as ClosedRange<UInt64> { try await ledger.add(message(number)) }
        try await center.noteDelivered(json(#"{"ids":["m2"]}"#), by: device)
        try await center.noteAccepted(
            .init(sequence: 2, expires: Self.start.adding(seconds: 86_400)), for: device.id)
        #expect(try await ledger.device(device.id)?.catchUp.stored == nil)
        wait(30)
        #expect(try await center.wokenNow().map(\.id) == [device.id])
        try await center.noteAccepted(.init(sequence: 0, expires: .lastSecond), for: device.id)
        #expect(try await ledger.device(device.id)?.catchUp.stored == nil)
    }

    @Test("Two instances that wake devices at once wake each once")
    func instances() async throws {
        let (center, ledger) = try await center()
        let device = try await registered(center)
        for number in 1...2 as ClosedRange<UInt64> { try await ledger.add(message(number)) }
        try await center.noteDelivered(json(#"{"ids":["m2"]}"#), by: device)
        wait(30)
        let woken = try await withThrowingTaskGroup(of: Int.self, returning: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await center.wokenNow().count } }
            return try await group.reduce(0, +)
        }
        #expect(woken == 1)
    }

    @Test("Messages are listed newest first, with a cursor and what is unread")
    func list() async throws {
        let (center, ledger) = try await center()
        for number in 1...3 as ClosedRange<UInt64> { try await ledger.add(message(number)) }
        try await ledger.add(message(9, to: other))
        let owner = wallet.publicKey
        let first = try await center.messages(MessageQuery(of: owner, items: [("limit", "2")]))
        #expect(numbers(first) == [3, 2])
        #expect(first["unread"]?.uint64 == 3)
        let next = try #require(first["next"]?.string)
        let second = try await center.messages(MessageQuery(of: owner, items: [("after", next)]))
        #expect(numbers(second) == [1])
        #expect(second["next"] == .null)
        let message = try #require(second["data"]?.array?.first)
        #expect(
            message.serialized()
                == #"{"id":"m1","seq":1,"type":"payment_received","priority":"normal","title":"You received 1 sat","body":"b","link":null,"created_at":1790000000,"read_at":null}"#
        )
    }

    @Test(
        "An item of a query that cannot be meant is refused",
        arguments: [
            ("after", "x"), ("after", "-1"), ("after", "18446744073709551615"), ("limit", "0"), ("limit", "101"),
            ("unread", "yes"), ("type", "A"),
        ])
    func queries(name: String, value: String) throws {
        #expect(throws: DeviceMemberFault(member: name, .malformed)) {
            try MessageQuery(of: wallet.publicKey, items: [(name, value)])
        }
    }

    @Test("Messages are marked by their ids or up to a place, those of others are not")
    func mark() async throws {
        let (center, ledger) = try await center()
        for number in 1...3 as ClosedRange<UInt64> {
            try await ledger.add(message(number))
            try await ledger.add(message(number, to: other))
        }
        let owner = wallet.publicKey
        for (order, unread) in [
            (#"{"ids":["m1","m8"],"read":true}"#, 2), (#"{"read_up_to":2}"#, 1), (#"{"ids":["m1"],"read":false}"#, 2),
        ] as [(String, UInt64)] {
            let (selection, read) = try marking(order)
            try await center.mark(selection, read: read, of: owner)
            #expect(try await center.count(of: owner).unread == unread)
        }
        #expect(try await center.count(of: other.publicKey) == MessageCount(unread: 3, newest: 3))
        let many = (0...100).map { #""m\#($0)""# }.joined(separator: ",")
        for body in ["{}", "[]", #"{"ids":["m1"]}"#, #"{"ids":["M"],"read":true}"#, #"{"ids":[\#(many)],"read":true}"#]
        {
            #expect(throws: MessageCenterRefusal.self) { try marking(body) }
        }
    }

    private func marking(_ body: String) throws -> (MessageSelection, read: Bool) {
        try MessageCenter.request(in: json(body)) { members throws(DeviceMemberFault) in try members.marking() }
    }

    @Test("What an owner wants is kept, and is everything before anything was chosen")
    func preferences() async throws {
        let (center, _) = try await center()
        let owner = wallet.publicKey
        #expect(try await center.preferences(of: owner) == MessagePreferences())
        func chosen(_ body: String) throws -> MessagePreferences {
            try MessageCenter.request(in: json(body)) { members throws(DeviceMemberFault) in
                try MessagePreferences(members)
            }
        }
        let preferences = try chosen(#"{"types":{"payment_received":"silent"}}"#)
        try await center.keep(preferences, of: owner)
        #expect(try await center.preferences(of: owner) == preferences)
        #expect(preferences.way(for: .paymentReceived) == .silent)
        let refusal = MessageCenterRefusal.request(DeviceMemberFault(member: "push", .notAFlag))
        #expect(throws: refusal) { try chosen(#"{"push":"yes"}"#) }
    }

    @Test("An announcement is told to every owner of a device once, with low priority")
    func announcement() async throws {
        let (center, ledger) = try await center()
        _ = try await registered(center)
        _ = try await center.register(
            body(of: other, secret: secret(), token: String(repeating: "0b", count: 32)), of: phone())
        for _ in 1...2 { #expect(try await center.announce("Maintenance on Sunday") == 2) }
        for owner in [wallet.publicKey, other.publicKey] {
            let told = try await ledger.messages(MessageQuery(of: owner)).elements.map(\.content)
            #expect(told.map(\.body) == ["Maintenance on Sunday"])
            #expect(told.allSatisfy { $0.type == .announcement && $0.priority == .low })
        }
        for text in ["", String(repeating: "a", count: 1001)] {
            await #expect(throws: MessageCenterRefusal.self) { try await center.announce(text) }
        }
        #expect(try await center.announce(String(repeating: "a", count: 1000)) == 2)
    }

    @Test("A secret is wkd_ and 32 bytes in base64url, and its hash is that of the text")
    func secrets() throws {
        let published = "wkd_d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3c"
        let secret = try #require(DeviceSecret(published))
        #expect(
            Hexadecimal.encode(secret.hash) == "a4908532a2f65068ce0b3498af2b68e43949be33aa85840288e653295bf52080")
        let drawn = try DeviceSecret { count throws(CryptoFault) in [UInt8](repeating: 0x77, count: count) }
        #expect(drawn.disclosed == published)
        for text in ["", "wkd_", "wkd_d3d3", String(published.dropFirst(4)), published + "d"] {
            #expect(DeviceSecret(text) == nil)
        }
    }

    @Test("The signed text and its signature are those of the published registration")
    func published() throws {
        let ln = "ln:023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1"
        let sig =
            "rd8ooicd9c6ykxwred545hmdrnnu7nwy6ifj151f9f4cycw5znifgcexjt6bqjwf8c6xfdgzwrs7tfn5o5jcwhdpepif68fwjwu9z4yb"
        let body: JSONObject = [
            "app": "bitkit", "platform": "apns", "environment": "sandbox",
            "push_token": "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0",
            "encryption_key": "029ac20335eb38768d2052be1dbbc3c8f6178407458e51e6b4ad22f1d91758895b",
            "secret_sha256": "a4908532a2f65068ce0b3498af2b68e43949be33aa85840288e653295bf52080",
            "identities": ["pk:47cz1q7hnqtedgwnxt5k5pz5in1ji5oyx7r9fwr3fsc5ojppftry", .string(ln)],
            "topics": ["paykit.sync", "blocktank.*"], "ts": 1_790_000_000,
            "proofs": [["identity": .string(ln), "sig": .string(sig)]],
        ]
        let install = try #require(InstallID("AAAAAAAAAAAAAAAAAAAAAA"))
        let statement = try DeviceStatement(JSONMembers(body), of: install)
        #expect(
            Hexadecimal.encode(SHA256.hash(statement.text(for: "wake.localhost").utf8))
                == "24a1e86c7c81b6b03c755fa7e18cba5147687fede582e9d0f25a44abd8d00a61")
        try statement.check(for: "wake.localhost", at: Self.start)
    }
}

extension MessageCenter {
    fileprivate func register(_ body: [UInt8], of install: InstallID) async throws(MessageCenterRefusal) -> Device {
        let statement = try statement(in: body, of: install)
        return try await register(statement, effect(of: statement))
    }
}
