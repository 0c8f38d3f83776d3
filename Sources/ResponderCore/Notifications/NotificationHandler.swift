public import LNURL

/// Answers the notifications of a type of one's own.
///
/// It gets the payload and the app's own data in the notification. At the deadline nobody waits any longer; its task is then
/// cancelled.
public typealias NotificationHandler =
    @Sendable (
        _ notification: ReceivedNotification, _ account: AddressName, _ deadline: MonotonicTime
    ) async -> NotificationAnswer
