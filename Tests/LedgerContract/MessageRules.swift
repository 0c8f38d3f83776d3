import LightningCoding
package import ResponderModel
import Testing

extension Sample {
    /// The message with that number to an owner, made so many seconds after the start, good for a day.
    package static func message(
        _ number: UInt64, of owner: UInt8, _ type: MessageType = .paymentReceived,
        priority: DeviceMessage.Priority = .normal
    ) throws -> DeviceMessage.Content {
        let moment = start.adding(seconds: number)
        return DeviceMessage.Content(
            id: try #require(MessageID("message-\(number)")), owner: try node(owner), type: type, priority: priority,
            title: "You received \(number) sat", body: "⚡️ for \"alice\"",
            link: DeviceMessage.Link(type: type, target: "payment-\(number)"), createdAt: moment,
            expiresAt: moment.adding(seconds: 86_400))
    }

    static func messageID(_ number: UInt64) throws -> MessageID { try #require(MessageID("message-\(number)")) }
}

extension Ledger {
    fileprivate func pendingNumbers(
        _ device: UInt8, after sequence: UInt64 = 0, limit: Int = 100
    ) async throws -> [UInt64] {
        try await pending(for: Sample.deviceID(device), after: sequence, at: Sample.start, limit: limit).map(\.sequence)
    }

    fileprivate func unread(of owner: UInt8) async throws -> UInt64 {
        try await messageCount(of: Sample.node(owner)).unread
    }
}

extension LedgerRule {
    static let messages = [
        LedgerRule("A message reads back as written, and counts on from the owner's last one") { ledger in
            let plain = DeviceMessage.Content(
                id: try Sample.messageID(9), owner: try Sample.node(1), type: .security, priority: .high, title: "t",
                body: "", createdAt: Sample.start, expiresAt: Sample.start)
            let first = try await ledger.add(Sample.message(1, of: 1))
            #expect(try first == DeviceMessage(Sample.message(1, of: 1), sequence: 1, readAt: nil))
            #expect(try await ledger.add(plain) == DeviceMessage(plain, sequence: 2, readAt: nil))
            #expect(try await ledger.add(Sample.message(1, of: 2)).sequence == 1)
            #expect(try await ledger.messages(MessageQuery(of: Sample.node(1))).elements.map(\.sequence) == [2, 1])
        },
        LedgerRule("A message that is added again is told once") { ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            let first = try await ledger.add(Sample.message(1, of: 1))
            try await ledger.confirm(.upTo(1), by: Sample.deviceID(1), at: Sample.start)
            #expect(try await ledger.add(Sample.message(1, of: 1)) == first)
            #expect(try await ledger.pendingNumbers(1) == [])
            #expect(try await ledger.messageCount(of: Sample.node(1)) == MessageCount(unread: 1, newest: 1))
        },
        LedgerRule("A message adds the work of telling each device that can be reached, once") {
            ledger in
            for number in 1...3 as ClosedRange<UInt8> {
                try await ledger.putDevice(number, of: 1, "phone-\(number)", at: number)
            }
            try await ledger.putDevice(4, of: 2, at: 4)
            _ = try await ledger.dropAddress(
                of: Sample.deviceID(3), setBefore: Sample.start.adding(seconds: 1), because: "gone", at: Sample.start)
            for delivery in [MessageDelivery.silent, .alert] {
                let message = try await ledger.add(Sample.message(1, of: 1), as: delivery)
                let work = try await ledger.outbox(OutboxQuery(kind: .deviceMessage)).elements
                #expect(
                    try Set(work) == [
                        OutboxWork(telling: Sample.deviceID(1), of: message),
                        OutboxWork(telling: Sample.deviceID(2), of: message),
                    ])
                #expect(work.count == 2)
            }
        },
        LedgerRule("A message for the notification center alone is neither pending nor told") { ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            try await ledger.add(Sample.message(1, of: 1), as: .none)
            #expect(try await ledger.pendingNumbers(1) == [])
            #expect(try await ledger.outbox(OutboxQuery()).elements.isEmpty)
            #expect(try await ledger.unread(of: 1) == 1)
        },
        LedgerRule("A message that devices fetch is pending, and adds no work") { ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            try await ledger.add(Sample.message(1, of: 1), as: .fetched)
            #expect(try await ledger.pendingNumbers(1) == [1])
            #expect(try await ledger.outbox(OutboxQuery()).elements.isEmpty)
        },
        LedgerRule("Messages that are added at once have places of their own, without a gap") { ledger in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...40 as ClosedRange<UInt64> {
                    group.addTask { _ = try await ledger.add(Sample.message(number, of: 1)) }
                    group.addTask { _ = try await ledger.add(Sample.message(number, of: 1)) }
                }
                try await group.waitForAll()
            }
            let messages = try await ledger.messages(MessageQuery(of: Sample.node(1), limit: 100)).elements
            #expect(messages.map(\.sequence) == (1...40).reversed())
        },
        LedgerRule("Messages are listed by owner, type and whether they are unread, page by page") { ledger in
            for number in 1...5 as ClosedRange<UInt64> {
                try await ledger.add(Sample.message(number, of: 1, number == 3 ? .security : .paymentReceived))
            }
            try await ledger.add(Sample.message(6, of: 2))
            var query = MessageQuery(of: try Sample.node(1), limit: 2)
            let first = try await ledger.messages(query)
            #expect(first.elements.map(\.sequence) == [5, 4])
            query.after = first.next
            #expect(try await ledger.messages(query).elements.map(\.sequence) == [3, 2])
            query = MessageQuery(of: try Sample.node(1), type: .security)
            #expect(try await ledger.messages(query).elements.map(\.sequence) == [3])
            try await ledger.mark(.upTo(4), of: Sample.node(1), read: true, at: Sample.start)
            query = MessageQuery(of: try Sample.node(1), isUnread: true)
            #expect(try await ledger.messages(query).elements.map(\.sequence) == [5])
        },
        LedgerRule("What was read keeps its time, and foreign and unknown ids change nothing") { ledger in
            for owner in 1...2 as ClosedRange<UInt8> {
                for number in 1...3 as ClosedRange<UInt64> { try await ledger.add(Sample.message(number, of: owner)) }
            }
            let owner = try Sample.node(1)
            let later = Sample.start.adding(seconds: 9)
            let ids = try [Sample.messageID(1), Sample.messageID(7)]
            try await ledger.mark(.ids(ids), of: owner, read: true, at: Sample.start)
            try await ledger.mark(.upTo(2), of: owner, read: true, at: later)
            let read = try await ledger.messages(MessageQuery(of: owner)).elements.map(\.readAt)
            #expect(read == [nil, later, Sample.start])
            #expect(try await ledger.unread(of: 1) == 1)
            #expect(try await ledger.unread(of: 2) == 3)
            try await ledger.mark(.ids(ids), of: owner, read: false, at: later)
            #expect(try await ledger.unread(of: 1) == 2)
            #expect(try await ledger.messageCount(of: Sample.node(3)) == MessageCount(unread: 0, newest: 0))
        },
        LedgerRule("A message is pending for every device of its owner until that one has confirmed it") { ledger in
            try await ledger.putDevice(1, of: 1, "a", at: 1)
            try await ledger.putDevice(2, of: 1, "b", at: 2)
            try await ledger.putDevice(3, of: 2, at: 3)
            for number in 1...4 as ClosedRange<UInt64> { try await ledger.add(Sample.message(number, of: 1)) }
            #expect(try await ledger.pendingNumbers(1) == [1, 2, 3, 4])
            #expect(try await ledger.pendingNumbers(3) == [])
            #expect(try await ledger.pendingNumbers(1, after: 1, limit: 2) == [2, 3])
            let moment = Sample.start.adding(seconds: 50)
            try await ledger.confirm(.ids([Sample.messageID(3)]), by: Sample.deviceID(1), at: moment)
            #expect(try await ledger.pendingNumbers(1) == [1, 2, 4])
            #expect(try await ledger.device(Sample.deviceID(1))?.lastContact == moment)
            try await ledger.confirm(.upTo(2), by: Sample.deviceID(1), at: moment)
            #expect(try await ledger.pendingNumbers(1) == [4])
            #expect(try await ledger.pendingNumbers(2) == [1, 2, 3, 4])
            // Messages of others with the same ids are not meant.
            try await ledger.add(Sample.message(4, of: 2))
            try await ledger.confirm(.ids([Sample.messageID(4)]), by: Sample.deviceID(3), at: moment)
            #expect(try await ledger.pendingNumbers(1) == [4])
        },
        LedgerRule("What has expired is not pending, and stays in the list") { ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            let message = try Sample.message(1, of: 1)
            try await ledger.add(message)
            let device = try Sample.deviceID(1)
            let last = UnixTime(message.expiresAt.seconds - 1)
            #expect(try await ledger.pending(for: device, after: 0, at: last, limit: 9).count == 1)
            #expect(try await ledger.pending(for: device, after: 0, at: message.expiresAt, limit: 9).isEmpty)
            #expect(try await ledger.unread(of: 1) == 1)
        },
        LedgerRule("A removed message is neither listed nor pending, and its place is not used again") { ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            for number in 1...2 as ClosedRange<UInt64> { try await ledger.add(Sample.message(number, of: 1)) }
            #expect(try await !ledger.removeMessage(Sample.messageID(2), of: Sample.node(2)))
            #expect(try await ledger.removeMessage(Sample.messageID(2), of: Sample.node(1)))
            #expect(try await !ledger.removeMessage(Sample.messageID(2), of: Sample.node(1)))
            #expect(try await ledger.pendingNumbers(1) == [1])
            #expect(try await ledger.add(Sample.message(3, of: 1)).sequence == 3)
            #expect(try await ledger.messageCount(of: Sample.node(1)) == MessageCount(unread: 2, newest: 3))
        },
        LedgerRule("A removed device has nothing pending, and its owner keeps the messages") { ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            try await ledger.add(Sample.message(1, of: 1))
            #expect(try await ledger.removeDevice(Sample.deviceID(1)))
            #expect(try await ledger.pendingNumbers(1) == [])
            #expect(try await ledger.unread(of: 1) == 1)
        },
        LedgerRule("What an owner wants to be told reads back as written") { ledger in
            let owner = try Sample.node(1)
            #expect(try await ledger.preferences(of: owner) == nil)
            try await ledger.add(Sample.message(1, of: 1))
            #expect(try await ledger.preferences(of: owner) == nil)
            for choice in [#"{"push":false,"types":{"a":"off"}}"#, #"{"push":true}"#] {
                try await ledger.keep(preferences: JSONValue(parsing: choice), of: owner)
                #expect(try await ledger.preferences(of: owner)?.serialized() == choice)
            }
            #expect(try await ledger.preferences(of: Sample.node(2)) == nil)
            #expect(try await ledger.unread(of: 1) == 1)
        },
        LedgerRule("Old messages, and devices that lost their address long ago, are deleted") { ledger in
            let lease = try await ledger.held(.upkeep)
            try await ledger.putDevice(1, of: 1, "a", at: 1)
            try await ledger.putDevice(2, of: 1, "b", at: 2)
            _ = try await ledger.dropAddress(
                of: Sample.deviceID(1), setBefore: Sample.start.adding(seconds: 1), because: "x", at: Sample.start)
            for number in 1...3 as ClosedRange<UInt64> { try await ledger.add(Sample.message(number, of: 1)) }
            #expect(try await ledger.pruneMessages(before: Sample.start.adding(seconds: 3), under: lease) == 2)
            #expect(try await ledger.messages(MessageQuery(of: Sample.node(1))).elements.map(\.sequence) == [3])
            #expect(try await ledger.pendingNumbers(2) == [3])
            #expect(try await ledger.device(Sample.deviceID(1)) == nil)
            #expect(try await ledger.device(Sample.deviceID(2)) != nil)
            await #expect(throws: LedgerFault.leaseLost) {
                try await ledger.pruneMessages(
                    before: Sample.start.adding(seconds: 9), under: Lease(name: .upkeep, epoch: lease.epoch + 1))
            }
        },
        LedgerRule("Of an owner's messages the newest thousand are kept, whatever others have") { ledger in
            try await ledger.putDevice(1, of: 1, at: 1)
            try await ledger.add(Sample.message(1, of: 2))
            let last = UInt64(DeviceMessage.Content.mostOfOwner) + 2
            for number in 1...last { try await ledger.add(Sample.message(number, of: 1)) }
            #expect(try await ledger.unread(of: 1) == last - 2)
            #expect(try await ledger.pendingNumbers(1).first == 3)
            #expect(try await ledger.unread(of: 2) == 1)
            #expect(try await ledger.messageCount(of: Sample.node(1)).newest == last)
        },
        LedgerRule(
            "Devices that are not heard of and told nothing are deleted, and owners without devices and messages"
        ) {
            ledger in
            let lease = try await ledger.held(.upkeep)
            func prune(_ seconds: UInt64) async throws {
                _ = try await ledger.pruneMessages(before: Sample.start.adding(seconds: seconds), under: lease)
            }
            let choice = try JSONValue(parsing: #"{"push":false}"#)
            for number in [1, 2, 3, 4] as [UInt8] {
                try await ledger.putDevice(number, of: number, at: number)
                try await ledger.keep(preferences: choice, of: Sample.node(number))
            }
            // One is told something, others are heard of.
            try await ledger.add(Sample.message(10, of: 2))
            try await ledger.confirm(.upTo(0), by: Sample.deviceID(3), at: Sample.start.adding(seconds: 10))
            for seconds in [10, 5] as [UInt64] {
                try await ledger.noteContact(with: Sample.deviceID(4), at: Sample.start.adding(seconds: seconds))
            }
            #expect(
                try await ledger.device(Sample.deviceID(4))?.lastContact == Sample.start.adding(seconds: 10))
            try await prune(10)
            #expect(try await ledger.device(Sample.deviceID(1)) == nil)
            #expect(try await ledger.preferences(of: Sample.node(1)) == nil)
            for number in [2, 3, 4] as [UInt8] {
                #expect(try await ledger.device(Sample.deviceID(number)) != nil)
                #expect(try await ledger.preferences(of: Sample.node(number)) == choice)
            }
            try await prune(11)
            for number in [2, 3, 4] as [UInt8] {
                #expect(try await ledger.device(Sample.deviceID(number)) == nil)
            }
        },
    ]
}
