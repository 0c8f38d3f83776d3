public import Contracts
public import LightningCoding
public import LightningCrypto

/// The hour in which an owner's messages of low priority are collected, since devices are told of them once an hour at
/// the most.
///
/// It begins at another second for each owner: providers ask not to be sent everything at the full hour.
public struct MessageHour: Hashable, Sendable {
    /// When it has begun.
    public let begin: UnixTime

    private static let length: UInt64 = 3600

    /// The hour of a moment.
    public init(at moment: UnixTime, of owner: PublicKey) {
        let shift = owner.bytes.suffix(2).reduce(0) { $0 << 8 | UInt64($1) } % Self.length
        let passed = (moment.seconds % Self.length + Self.length - shift) % Self.length
        begin = UnixTime(moment.seconds - min(passed, moment.seconds))
    }

    /// When it is over, and devices are told.
    public var end: UnixTime { begin.adding(seconds: Self.length) }
}

/// Messages of low priority that a device is told of at once.
public struct MessageBatch: Hashable, Sendable {
    /// The newest, which is told.
    public let newest: DeviceMessage
    /// Those that it stands for.
    public let others: [DeviceMessage]

    /// The most messages that are counted.
    public static let most = 100

    /// How many there are, ``most`` at the most.
    public var count: Int { 1 + others.count }

    /// - Parameters:
    ///   - message: one of them.
    ///   - unread: others, newest first, perhaps with it.
    init(of message: DeviceMessage, and unread: [DeviceMessage]) {
        let newest = unread.first.map { $0.sequence > message.sequence ? $0 : message } ?? message
        self.newest = newest
        let all = unread.filter { $0.sequence != message.sequence } + [message]
        others = Array(all.filter { $0.sequence < newest.sequence }.prefix(Self.most - 1))
    }
}
