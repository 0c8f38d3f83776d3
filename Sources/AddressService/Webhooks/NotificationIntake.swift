public import Delivering
public import Responding

/// What notifications go through, from their bytes to their replies.
public struct NotificationIntake: Sendable {
    /// Reads them.
    public var reader: NotificationReader
    /// Answers them, posts the replies, writes both down.
    public var processor: NotificationProcessor
    /// How long a notification is of use, from its arrival.
    public var time: Duration
    /// Measures that.
    public var clock: MonotonicClock
    /// Whether `/webhook/{account}` takes what is not signed.
    public var isOpen: Bool

    /// Puts the parts together.
    public init(
        reader: NotificationReader,
        processor: NotificationProcessor,
        time: Duration = .seconds(20),
        clock: MonotonicClock = .system,
        isOpen: Bool = false
    ) {
        self.reader = reader
        self.processor = processor
        self.time = time
        self.clock = clock
        self.isOpen = isOpen
    }
}
