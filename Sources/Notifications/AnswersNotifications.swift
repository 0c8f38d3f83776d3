public import Contracts
public import Platform

/// Carries out notifications and makes the replies. Posts nothing itself.
public protocol AnswersNotifications: Sendable {
    /// Handles a notification, finishing by the deadline whatever a node does.
    ///
    /// - Parameters:
    ///   - account: the recipient.
    ///   - deadline: when the reply must be ready; posting it takes additional time.
    func handle(
        _ notification: ReceivedNotification, for account: AccountID, until deadline: MonotonicTime
    ) async -> NotificationResult
}
