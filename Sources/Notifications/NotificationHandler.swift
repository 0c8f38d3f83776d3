public import Platform
public import LNURL

/// Answers notifications of a custom type.
///
/// Receives the payload and the app's own data. Its task is cancelled at the deadline, when nobody waits any longer.
public typealias NotificationHandler =
    @Sendable (
        _ notification: ReceivedNotification, _ account: AddressName, _ deadline: MonotonicTime
    ) async -> NotificationAnswer
