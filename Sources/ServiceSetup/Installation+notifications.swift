import Settings
package import Notifications
import LightningCrypto
import OutboundHTTP
import Platform
package import ResponderCore

extension Installation {
    /// Reads notifications according to the configuration.
    package func notificationReader() throws(CommandFailure) -> NotificationReader {
        var reader = NotificationReader(names: configuration.notifications.names)
        if let key = configuration.notifications.key {
            let secret = try SecretKeyText.key(in: PrivateFile(path: key.path))
            reader.key = PayloadKey(secret, purpose: key.purpose)
        }
        return reader
    }

    /// Answers notifications, posts the replies and records both.
    ///
    /// - Parameter asksNode: whether no other process, as the service would, records settlements.
    package func notificationProcessor(
        _ responder: Responder, asksNode: Bool
    ) throws(CommandFailure) -> NotificationProcessor {
        let settings = NotificationSettings(
            infoMaxAge: configuration.infoMaxAge, asksNode: asksNode, texts: configuration.notifications.texts)
        let sender: ReplySender
        do {
            sender = try ReplySender(ReplySender.Settings(policy: configuration.replyPolicy))
        } catch {
            throw CommandFailure(.unavailable, "no replies can be posted: \(error.reason)")
        }
        return NotificationProcessor(
            NotificationResponder(responder, settings: settings), sender: sender, ledger: ledger)
    }
}
