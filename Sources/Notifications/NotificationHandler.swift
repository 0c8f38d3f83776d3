public import Platform
public import Contracts

/// Answers notifications of a custom type, or of another that allows it (``NotificationType/allowsHandler``).
///
/// Receives the payload and the app's own data. Its task is cancelled at the deadline, when nobody waits any longer.
public typealias NotificationHandler =
    @Sendable (
        _ notification: ReceivedNotification, _ account: AccountID, _ deadline: MonotonicTime
    ) async -> NotificationAnswer
