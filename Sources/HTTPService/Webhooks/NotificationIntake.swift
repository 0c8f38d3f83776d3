public import Platform
public import Contracts
public import Notifications
public import LightningCoding

/// The components that handle notifications, from bytes to replies.
public struct NotificationIntake: Sendable {
    /// Parses them.
    public var reader: NotificationReader
    /// Answers them, posts the replies and records both.
    public var processor: NotificationProcessor
    /// The types that are answered in the response when they name no reply URL.
    public var inResponse: Set<NotificationType>
    /// The instance that accepts them, and handles what it has accepted.
    public var instance: InstanceID
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
        inResponse: Set<NotificationType> = [.invoiceRequest],
        instance: InstanceID,
        time: Duration = .seconds(20),
        clock: MonotonicClock = .system,
        wallClock: @escaping WallClock = { .now() },
        isOpen: Bool = false
    ) {
        self.reader = reader
        self.processor = processor
        self.inResponse = inResponse
        self.instance = instance
        self.time = time
        self.clock = clock
        self.wallClock = wallClock
        self.isOpen = isOpen
    }
}
