package import LightningCoding
package import LightningCrypto

/// An installation of an app, on a phone or in a browser, that is told of its owner's payments.
package struct Device: Hashable, Sendable {
    package let id: DeviceID
    package let profile: DeviceProfile
    package let registeredAt: UnixTime
    /// When it was last heard of, or its provider has last taken a message, to the day.
    package let lastContact: UnixTime
    package let state: State
    package let catchUp: CatchUpState

    package enum State: Hashable, Sendable {
        /// There, since that moment: what a provider says of an earlier time concerns another device.
        case live(PushAddress, since: UnixTime)
        /// Nowhere until it is registered again: a provider said so, or another device has its address now.
        case dropped(at: UnixTime, because: String)
    }

    package init(
        id: DeviceID, profile: DeviceProfile, registeredAt: UnixTime, lastContact: UnixTime, state: State,
        catchUp: CatchUpState
    ) {
        self.id = id
        self.profile = profile
        self.registeredAt = registeredAt
        self.lastContact = lastContact
        self.state = state
        self.catchUp = catchUp
    }

    /// Where a provider delivers to it; nil when it cannot be reached.
    package var address: PushAddress? { if case .live(let address, _) = state { address } else { nil } }

    package static let mostOfOwner = 10
}

/// What an app says of a device, besides its address.
package struct DeviceProfile: Hashable, Sendable {
    package let owner: PublicKey
    package let install: InstallID
    /// SHA-256 of the secret by which the device is known here, 32 bytes.
    package let secretHash: [UInt8]
    /// What its messages are encrypted for; nil when the app cannot decrypt.
    package let encryptionKey: PublicKey?
    /// Its language, such as `nb-NO`; nil when the app has not said.
    package let locale: String?

    /// For how many seconds a ledger remembers when an installation has last signed; a statement is valid for a shorter time.
    package static let statementMemory: UInt64 = 86_400

    /// What a ledger remembers that by, also when the device was removed: SHA-256 of the owner and the installation.
    package var statementDigest: [UInt8] { SHA256.hash(owner.bytes, Array(install.text.utf8)) }

    package init(
        owner: PublicKey, install: InstallID, secretHash: [UInt8], encryptionKey: PublicKey? = nil,
        locale: String? = nil
    ) {
        self.owner = owner
        self.install = install
        self.secretHash = secretHash
        self.encryptionKey = encryptionKey
        self.locale = locale?.replacingZero
    }
}

/// How far a device has caught up with its owner's messages.
package struct CatchUpState: Hashable, Sendable {
    package var lastWake: UnixTime?
    /// When it is next woken, if messages are still pending then.
    package var wakeDue: UnixTime?
    /// The newest alert of which nothing is known but that a provider has accepted it.
    package var stored: StoredAlert?
    /// How many accepted wakes in a row neither a fetch nor a report has followed.
    package var unanswered: UInt64

    /// The shortest time between two wakes of an address, in seconds. APNs delivers two or three in an hour.
    package static let interval: UInt64 = 30 * 60

    package struct StoredAlert: Hashable, Sendable {
        /// The place of its message among those of the owner.
        package let sequence: UInt64
        /// When the provider forgets it.
        package let expires: UnixTime

        package init(sequence: UInt64, expires: UnixTime) {
            self.sequence = sequence
            self.expires = expires
        }
    }

    package init(
        lastWake: UnixTime? = nil, wakeDue: UnixTime? = nil, stored: StoredAlert? = nil, unanswered: UInt64 = 0
    ) {
        self.lastWake = lastWake
        self.wakeDue = wakeDue
        self.stored = stored
        self.unanswered = unanswered
    }
}

/// What stands for a device in the URLs of webhooks, instead of its push token: 32 lower-case hexadecimal digits, drawn
/// at random. It can be revoked, and it says nothing.
package struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    package init(random: RandomSource) throws(CryptoFault) {
        bytes = try random(Self.byteCount)
    }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    package init?(_ text: String) {
        guard let bytes = try? Hexadecimal.decode(text), text.isExactly(Hexadecimal.encode(bytes)) else { return nil }
        self.init(bytes)
    }

    private static let byteCount = 16

    package var description: String { Hexadecimal.encode(bytes) }
}

/// What an app calls one installation of itself: 1 to 64 characters of `A-Z a-z 0-9 - _`.
package struct InstallID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard text.isWord(upTo: 64, capitals: true, or: "-_") else { return nil }
        self.text = text
    }

    package var description: String { text }
}
