package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// What devices and their owners ask of the service, over any transport.
package struct MessageCenter: Sendable {
    let ledger: any DeviceLedger
    /// What stands for devices in URLs.
    package let handles: DeviceHandles
    let audience: String
    let clock: WallClock
    private let random: RandomSource

    /// Creates a center.
    ///
    /// - Parameters:
    ///   - ledger: where devices and messages are kept.
    ///   - audience: the host that wallets sign registrations for.
    ///   - handles: what stands for devices in URLs.
    ///   - clock: the time.
    ///   - random: draws the ids of devices.
    package init(
        _ ledger: any DeviceLedger, audience: String, handles: DeviceHandles, clock: @escaping WallClock,
        random: @escaping RandomSource = SystemRandom.bytes
    ) {
        self.ledger = ledger
        self.audience = audience
        self.handles = handles
        self.clock = clock
        self.random = random
    }

    /// What a wallet must know to register a device: `{"audience":"pay.example","server_time":<s>}`.
    package var info: JSONObject { ["audience": .string(audience), "server_time": .unsigned(clock().seconds)] }

    /// The registration in a body that its owner has signed, for this service and now.
    package func statement(in body: [UInt8], of install: InstallID) throws(MessageCenterRefusal) -> DeviceStatement {
        let members = try Self.members(of: body, as: MessageCenterRefusal.statement)
        let statement = try rethrowing(DeviceStatement(members, of: install), as: MessageCenterRefusal.statement)
        try rethrowing(statement.check(for: audience, at: clock()), as: MessageCenterRefusal.statement)
        return statement
    }

    package enum Effect: Sendable {
        /// It says what is stored.
        case renews
        /// It changes a device of an owner who has some, or replaces those that can no longer be reached.
        case changes
        /// It adds a device beside others that can be reached.
        case adds
        /// It adds the first device of an owner.
        case begins
    }

    package func effect(of statement: DeviceStatement) async throws(MessageCenterRefusal) -> Effect {
        let profile = statement.profile
        let devices = try await MessageCenterRefusal.asking(await ledger.devices(of: profile.owner))
        if devices.contains(where: { $0.profile == profile && $0.address == statement.address }) { return .renews }
        if devices.isEmpty { return .begins }
        if devices.contains(where: { $0.profile.install == profile.install }) { return .changes }
        return devices.contains { $0.address != nil && $0.address != statement.address } ? .adds : .changes
    }

    /// Registers an installation, or takes over what its app says anew. The owner is told of one that is added.
    package func register(_ statement: DeviceStatement, _ effect: Effect) async throws(MessageCenterRefusal) -> Device {
        let id = try rethrowing(DeviceID(random: random), as: MessageCenterRefusal.ledger(.storage("no random bytes")))
        let device = try await awaiting(
            await ledger.putDevice(
                statement.profile, reachedAt: statement.address, signedAt: statement.time, as: id, at: clock()),
            as: MessageCenterRefusal.init)
        if effect == .adds, let message = DeviceMessage.Content(added: device, at: clock()) {
            // The device is registered, whatever becomes of this.
            _ = try? await tell(message)
        }
        return device
    }

    /// What a wallet is told of a device that it has registered:
    /// `{"device_id":"…","install_id":"…","handle":"wkh_…","identities":["ln:…"],"server_time":<s>}`.
    package func registration(of device: Device) throws(MessageCenterRefusal) -> JSONObject {
        let handle = try rethrowing(
            handles.handle(of: device.id), as: MessageCenterRefusal.ledger(.storage("no cipher")))
        return [
            "device_id": .string(device.id.description), "install_id": .string(device.profile.install.text),
            "handle": .string(handle), "identities": [.string(DeviceStatement.identity(of: device.profile.owner))],
            "server_time": .unsigned(clock().seconds),
        ]
    }

    /// The device that shows its secret in an `Authorization` field: `Bearer wkd_…`.
    package func device(showing authorization: String?) async throws(MessageCenterRefusal) -> Device {
        guard let authorization, authorization.begins(with: Self.scheme),
            let secret = DeviceSecret(String(authorization.dropFirst(Self.scheme.count)))
        else { throw .unauthorized }
        let found = try await MessageCenterRefusal.asking(
            await ledger.device(withSecretHash: secret.hash))
        guard let found else { throw .unauthorized }
        await noteContact(with: found)
        return found
    }

    /// Notes that a device is in use, once a day: one that is not is deleted some day, also when its address is good. A failure
    /// is left at that.
    package func noteContact(with device: Device) async {
        let now = clock()
        guard now.seconds(since: device.lastContact) >= 86_400 else { return }
        try? await ledger.noteContact(with: device.id, at: now)
    }

    private static let scheme = "Bearer "

    /// Removes an installation at the wish of its owner; nothing happens when there is none.
    package func remove(_ install: InstallID, of owner: PublicKey) async throws(MessageCenterRefusal) {
        do throws(LedgerFault) {
            for device in try await ledger.devices(of: owner) where device.profile.install == install {
                _ = try await ledger.removeDevice(device.id)
            }
        } catch {
            throw .ledger(error)
        }
    }

    package func preferences(of owner: PublicKey) async throws(MessageCenterRefusal) -> MessagePreferences {
        let stored = try await MessageCenterRefusal.asking(await ledger.preferences(of: owner))
        guard let stored else { return MessagePreferences() }
        return try rethrowing(
            MessagePreferences(JSONMembers<DeviceMemberFault>(stored)),
            as: MessageCenterRefusal.ledger(.corrupt("preferences that cannot be read")))
    }

    package func keep(_ preferences: MessagePreferences, of owner: PublicKey) async throws(MessageCenterRefusal) {
        try await MessageCenterRefusal.asking(
            await ledger.keep(preferences: .object(preferences.json), of: owner))
    }

    /// What the JSON in a body asks for.
    package static func request<Value>(
        in body: [UInt8], _ read: (JSONMembers<DeviceMemberFault>) throws(DeviceMemberFault) -> Value
    ) throws(MessageCenterRefusal) -> Value {
        let members = try members(of: body, as: MessageCenterRefusal.request)
        return try rethrowing(read(members), as: MessageCenterRefusal.request)
    }

    /// The members of a body, which is JSON.
    private static func members<Fault: JSONMemberFault>(
        of body: [UInt8], as refusal: (Fault) -> MessageCenterRefusal
    ) throws(MessageCenterRefusal) -> JSONMembers<Fault> {
        let value = try rethrowing(JSONValue(parsing: body), as: MessageCenterRefusal.json)
        return try rethrowing(JSONMembers<Fault>(value), as: refusal)
    }
}

extension MessageCenter {
    /// The device of a session, or nil.
    package func device(_ id: DeviceID) async throws(MessageCenterRefusal) -> Device? {
        let found = try await MessageCenterRefusal.asking(await ledger.device(id))
        if let found { await noteContact(with: found) }
        return found
    }

    /// A page of the messages of an owner, newest first, as values.
    package func page(_ query: MessageQuery) async throws(MessageCenterRefusal) -> Page<DeviceMessage> {
        try await MessageCenterRefusal.asking(await ledger.messages(query))
    }

    package func look(
        _ feed: inout MessageFeed, of owner: PublicKey
    ) async throws(MessageCenterRefusal) -> [MessageEvent] {
        let count = try await count(of: owner)
        let newest =
            feed.wantsMessages(count) ? try await page(MessageQuery(of: owner, limit: MessageFeed.limit)).elements : []
        return feed.look(count, newest: newest)
    }
}

extension MessageCenter {
    /// Adds a message, which is told to the owner's devices as the owner wants; nothing happens when it is known.
    @discardableResult
    package func tell(_ message: DeviceMessage.Content) async throws(MessageCenterRefusal) -> DeviceMessage {
        let delivery = try await delivery(of: message)
        return try await MessageCenterRefusal.asking(await ledger.add(message, as: delivery))
    }

    package func delivery(of message: DeviceMessage.Content) async throws(MessageCenterRefusal) -> MessageDelivery {
        try await preferences(of: message.owner).delivery(of: message)
    }

    /// Tells every owner of a device something, with low priority. Returns how many owners there are.
    ///
    /// - Parameter text: up to `DeviceMessage.Content.longest.body` bytes.
    package func announce(_ text: String) async throws(MessageCenterRefusal) -> Int {
        guard !text.isEmpty, text.utf8.count <= DeviceMessage.Content.longest.body else {
            throw .request(DeviceMemberFault(member: "text", .malformed))
        }
        var owners: Set<PublicKey> = []
        var mark: PageMark?
        repeat {
            let page = try await MessageCenterRefusal.asking(
                await ledger.devices(after: mark, limit: 1000))
            for owner in Set(page.elements.map(\.profile.owner)).subtracting(owners) {
                owners.insert(owner)
                guard let message = DeviceMessage.Content(announcing: text, to: owner, at: clock()) else { continue }
                try await tell(message)
            }
            mark = page.next
        } while mark != nil
        return owners.count
    }
}
