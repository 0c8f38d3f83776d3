import ResponderModel
import HookBackend
import OutboundHTTP
import Platform
package import ResponderCore

extension Installation {
    package func notificationReader() throws(CommandFailure) -> NotificationReader {
        var reader = NotificationReader(names: configuration.notifications.names)
        if let key = configuration.notifications.key {
            let secret = try SecretKeyText.key(in: PrivateFile(path: key.path))
            reader.key = PayloadKey(secret, purpose: key.purpose)
        }
        return reader
    }

    /// Answers notifications, posts the replies and records both.
    package func notificationProcessor(
        _ responder: Responder
    ) throws(CommandFailure) -> NotificationProcessor {
        let sender: ReplySender
        do {
            sender = try ReplySender(ReplySender.Settings(policy: configuration.replyPolicy))
        } catch {
            throw CommandFailure(.unavailable, "replies cannot be posted: \(error.reason)")
        }
        return NotificationProcessor(
            NotificationResponder(
                responder, infoMaxAge: configuration.infoMaxAge, handlers: try notificationHandlers()),
            sender: sender, ledger: ledger)
    }

    /// The handlers of custom types. Types with the same hook share it.
    private func notificationHandlers() throws(CommandFailure) -> [NotificationType: NotificationHandler] {
        var hooks: [HookAddress: NotificationHandler] = [:]
        var handlers: [NotificationType: NotificationHandler] = [:]
        for (type, address) in configuration.notifications.handlers {
            do throws(BackendFault) {
                if hooks[address] == nil { hooks[address] = try address.handler() }
            } catch {
                throw CommandFailure(
                    .configuration,
                    "notifications.handlers.\(type): cannot be used as configured: \(error.reason)")
            }
            handlers[type] = hooks[address]
        }
        return handlers
    }
}
