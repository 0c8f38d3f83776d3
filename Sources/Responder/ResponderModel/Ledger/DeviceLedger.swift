package import LightningCoding
package import LightningCrypto

package protocol DeviceLedger: Sendable {
    /// Registers a device, or takes over what an app says anew of one that the owner has. Another device with the same
    /// address loses it, even one of another owner, and what is pending for that one stays so until it is registered again. When the
    /// address was last woken goes with it, also when the device that had it was removed meanwhile.
    ///
    /// Of the statements of an installation each must be newer than those before, also after the device was removed. One that
    /// is not, and says what is stored, changes nothing.
    ///
    /// - Parameters:
    ///   - id: of a new device; an installation that the owner has registered before keeps its own.
    ///   - time: when the app has signed it.
    /// - Returns: the device as stored.
    /// - Throws: `statementReplaced` for one that is not newer and says something else; `tooManyDevices` when the owner has
    ///   `Device.mostOfOwner` others that can be reached; `secretInUse` when another device has the same secret.
    func putDevice(
        _ profile: DeviceProfile, reachedAt address: PushAddress, signedAt time: UnixTime, as id: DeviceID,
        at now: UnixTime
    ) async throws(LedgerFault) -> Device

    func device(_ id: DeviceID) async throws(LedgerFault) -> Device?

    /// The device whose secret has that SHA-256, or nil.
    func device(withSecretHash hash: [UInt8]) async throws(LedgerFault) -> Device?

    /// The devices of an owner, by the names of their installations.
    func devices(of owner: PublicKey) async throws(LedgerFault) -> [Device]

    /// A page of all devices, newest first.
    func devices(after mark: PageMark?, limit: Int) async throws(LedgerFault) -> Page<Device>

    /// Removes a device and what is pending for it; false when there is none. When its address was last woken is kept
    /// for ``CatchUpState/interval``, by the address's digest.
    func removeDevice(_ id: DeviceID) async throws(LedgerFault) -> Bool

    /// Notes that a device's address is gone, unless it was set after the provider learned so; false when nothing changes.
    func dropAddress(
        of id: DeviceID, setBefore moment: UnixTime, because reason: String, at now: UnixTime
    ) async throws(LedgerFault) -> Bool

    /// Stores how far a device has caught up; false, without a change, when it is no longer where `old` says, or when the
    /// message at the place `sequence`, unless that is nil, is no longer pending for it.
    func keep(
        _ new: CatchUpState, of id: DeviceID, replacing old: CatchUpState, whilePending sequence: UInt64?
    ) async throws(LedgerFault) -> Bool

    /// The live devices that are to be woken by that moment, longest due first.
    func devicesToWake(at now: UnixTime, limit: Int) async throws(LedgerFault) -> [Device]

    /// Adds a message; returns the one that is there when the id is.
    ///
    /// - Parameters:
    ///   - delivery: how the live devices of its owner learn of it. Unless that is `none`, it is pending for each; one that
    ///     is pushed is work in the outbox for each, in the same transaction.
    @discardableResult
    func add(_ message: DeviceMessage.Content, as delivery: MessageDelivery) async throws(LedgerFault) -> DeviceMessage

    /// A page of an owner's messages, newest first.
    func messages(_ query: MessageQuery) async throws(LedgerFault) -> Page<DeviceMessage>

    func messageCount(of owner: PublicKey) async throws(LedgerFault) -> MessageCount

    /// Marks messages of an owner as read or unread; unknown and foreign ones are ignored. One that was read keeps its
    /// time.
    func mark(
        _ messages: MessageSelection, of owner: PublicKey, read: Bool, at now: UnixTime
    ) async throws(LedgerFault)

    /// Removes a message of an owner; false when there is none.
    func removeMessage(_ id: MessageID, of owner: PublicKey) async throws(LedgerFault) -> Bool

    /// What a device has neither shown nor confirmed and may still be told, oldest first.
    func pending(
        for device: DeviceID, after sequence: UInt64, at now: UnixTime, limit: Int
    ) async throws(LedgerFault) -> [DeviceMessage]

    /// Notes what a device has shown or confirmed, and that it was heard of.
    func confirm(_ messages: MessageSelection, by device: DeviceID, at now: UnixTime) async throws(LedgerFault)

    func noteContact(with device: DeviceID, at now: UnixTime) async throws(LedgerFault)

    /// What an owner wants to be told, as JSON; nil when nothing was chosen.
    func preferences(of owner: PublicKey) async throws(LedgerFault) -> JSONValue?

    func keep(preferences: JSONValue, of owner: PublicKey) async throws(LedgerFault)

    /// Deletes messages that were made, devices whose address was lost, and devices that were last heard of and that nobody
    /// has told anything since, before a moment; then, some at a time, owners without either. Returns how many messages.
    ///
    /// - Throws: `leaseLost`, and then nothing is deleted.
    func pruneMessages(before moment: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int
}

extension DeviceLedger {
    /// Stores how far a device has caught up, whatever is pending for it.
    package func keep(
        _ new: CatchUpState, of id: DeviceID, replacing old: CatchUpState
    ) async throws(LedgerFault) -> Bool {
        try await keep(new, of: id, replacing: old, whilePending: nil)
    }

    /// Adds a message of which devices are alerted.
    @discardableResult
    package func add(_ message: DeviceMessage.Content) async throws(LedgerFault) -> DeviceMessage {
        try await add(message, as: .alert)
    }
}

package struct MessageQuery: Hashable, Sendable {
    package var owner: PublicKey
    package var isUnread: Bool
    package var type: MessageType?
    package var after: PageMark?
    package var limit: Int

    package init(
        of owner: PublicKey, isUnread: Bool = false, type: MessageType? = nil, after: PageMark? = nil, limit: Int = 50
    ) {
        self.owner = owner
        self.isUnread = isUnread
        self.type = type
        self.after = after
        self.limit = min(max(limit, 1), 100)
    }
}

package enum MessageSelection: Hashable, Sendable {
    case ids([MessageID])
    /// All up to that place.
    case upTo(UInt64)
}

package struct MessageCount: Hashable, Sendable {
    package let unread: UInt64
    /// The place of the newest one that there ever was; 0 for none.
    package let newest: UInt64

    package init(unread: UInt64, newest: UInt64) {
        self.unread = unread
        self.newest = newest
    }
}
