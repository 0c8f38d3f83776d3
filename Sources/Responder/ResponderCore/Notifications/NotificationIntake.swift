package import LightningCoding
package import Platform
package import ResponderModel

/// The components that handle notifications, from bytes to replies.
package struct NotificationIntake: Sendable {
    package var reader: NotificationReader
    /// Answers them, posts the replies and records both.
    package var processor: NotificationProcessor
    /// The types that are answered in the response when they name no reply URL.
    package var inResponse: Set<NotificationType>
    /// The instance that accepts them, and handles what it has accepted.
    package var instance: InstanceID
    /// How long a notification is valid, from its arrival.
    package var time: Duration
    package var clock: MonotonicClock
    package var wallClock: WallClock
    /// Whether `/webhook/{account}` accepts unsigned notifications.
    package var isOpen: Bool

    package init(
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
