package import Delivering
import LightningCrypto
import OutboundHTTP
import PrivateFiles
package import Responding
import SQLiteLedger

extension Installation {
    /// Reads notifications as the configuration says.
    package func notificationReader() throws(CommandFailure) -> NotificationReader {
        var reader = NotificationReader(names: configuration.notifications.names)
        if let key = configuration.notifications.key {
            let secret = try SecretKeyText.key(in: PrivateFile(path: key.path))
            reader.key = PayloadKey(secret, purpose: key.purpose)
        }
        return reader
    }

    /// Answers notifications, posts the replies, and writes both down.
    ///
    /// - Parameter asksNode: whether no service beside this process writes settlements down.
    package func notificationProcessor(
        _ responder: Responder, asksNode: Bool
    ) throws(CommandFailure) -> NotificationProcessor {
        let settings = NotificationSettings(
            infoMaxAge: configuration.infoMaxAge, asksNode: asksNode, texts: configuration.notifications.texts)
        let courier: ReplyCourier
        do {
            courier = try ReplyCourier(ReplyCourier.Settings(policy: configuration.replyPolicy))
        } catch {
            throw CommandFailure(.unavailable, "no replies can be posted: \(error.reason)")
        }
        return NotificationProcessor(
            NotificationResponder(responder, settings: settings), courier: courier, ledger: ledger)
    }
}
