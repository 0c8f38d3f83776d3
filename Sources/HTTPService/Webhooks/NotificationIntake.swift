public import Notifications
public import LightningCoding
public import Contracts
public import ResponderCore

/// What notifications go through, from their bytes to their replies.
public struct NotificationIntake: Sendable {
    /// Reads them.
    public var reader: NotificationReader
    /// Answers them, posts the replies, writes both down.
    public var processor: NotificationProcessor
    /// Where those that were accepted are kept until they are handled.
    public var outbox: any Outbox
    /// How long a notification is of use, from its arrival.
    public var time: Duration
    /// Measures that.
    public var clock: MonotonicClock
    /// Says when they came.
    public var wallClock: WallClock
    /// Whether `/webhook/{account}` takes what is not signed.
    public var isOpen: Bool

    /// Puts the parts together.
    public init(
        reader: NotificationReader,
        processor: NotificationProcessor,
        outbox: any Outbox,
        time: Duration = .seconds(20),
        clock: MonotonicClock = .system,
        wallClock: @escaping WallClock = { .now() },
        isOpen: Bool = false
    ) {
        self.reader = reader
        self.processor = processor
        self.outbox = outbox
        self.time = time
        self.clock = clock
        self.wallClock = wallClock
        self.isOpen = isOpen
    }
}
