public import Platform
public import Notifications
public import LightningCoding
public import Contracts

/// The components that handle notifications, from bytes to replies.
public struct NotificationIntake: Sendable {
    /// Parses them.
    public var reader: NotificationReader
    /// Answers them, posts the replies and records both.
    public var processor: NotificationProcessor
    /// Keeps accepted ones until they are handled.
    public var outbox: any Outbox
    /// How long a notification is valid, from its arrival.
    public var time: Duration
    /// Measures that time.
    public var clock: MonotonicClock
    /// Gives arrival times.
    public var wallClock: WallClock
    /// Whether `/webhook/{account}` accepts unsigned notifications.
    public var isOpen: Bool

    /// Creates the intake.
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
