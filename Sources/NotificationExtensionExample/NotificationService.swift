#if canImport(UserNotifications) && !os(macOS)
import Foundation
public import UserNotifications

/// The principal class of an iOS notification extension.
///
/// It needs `mutable-content: 1` and an alert in the push message, and an app group that holds the ledger. An app makes its
/// `PushAnswerer` in `answerer()`.
open class NotificationService: UNNotificationServiceExtension {
    private var deliver: ((UNNotificationContent) -> Void)?
    private var original: UNNotificationContent?
    private var work: Task<Void, Never>?

    /// Opens the wallet. To be overridden.
    open func answerer() async throws -> PushAnswerer? { nil }

    /// Answers, then shows what there is to show.
    override public func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        deliver = contentHandler
        original = request.content
        guard let message = try? JSONSerialization.data(withJSONObject: request.content.userInfo) else {
            return contentHandler(request.content)
        }
        let bytes = [UInt8](message)
        nonisolated(unsafe) let service = self
        work = Task {
            let answerer = try? await service.answerer()
            let text = await answerer?.answer(bytes, within: .seconds(20))
            await answerer?.close()
            service.show(text)
        }
    }

    /// The system takes the extension's time away.
    override public func serviceExtensionTimeWillExpire() {
        work?.cancel()
        show(nil)
    }

    private func show(_ text: NotificationText?) {
        guard let original, let deliver else { return }
        self.deliver = nil
        guard let text, let content = original.mutableCopy() as? UNMutableNotificationContent else {
            return deliver(original)
        }
        content.title = text.title
        content.body = text.body ?? ""
        content.threadIdentifier = text.lifetime.rawValue
        deliver(content)
    }
}
#endif
