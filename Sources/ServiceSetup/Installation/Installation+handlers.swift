import HookBackend
import LNURL
import LightningCoding
import Contracts
import ResponderCore

extension Installation {
    /// The handlers of custom types of notifications. Types with the same hook share it.
    func notificationHandlers() throws(CommandFailure) -> [NotificationType: NotificationHandler] {
        var hooks: [HookAddress: NotificationHook] = [:]
        var handlers: [NotificationType: NotificationHandler] = [:]
        for (type, address) in configuration.notifications.handlers {
            let hook: NotificationHook
            do {
                hook = try hooks[address] ?? NotificationHook(address)
            } catch {
                throw CommandFailure(
                    .configuration,
                    "notifications.handlers.\(type): cannot be used as configured: \(error.readableReason)")
            }
            hooks[address] = hook
            handlers[type] = hook.handler
        }
        return handlers
    }
}

extension NotificationHook {
    fileprivate convenience init(_ address: HookAddress) throws {
        switch address {
        case .service(let url, let tokenFile, let certificateFile):
            try self.init(url, tokenPath: tokenFile, certificateAuthorities: certificateFile)
        case .program(let command):
            try self.init(running: command, environment: ProcessEnvironment.forPrograms)
        }
    }

    fileprivate var handler: NotificationHandler {
        { [self] notification, account, deadline in
            do throws(BackendFault) {
                return NotificationAnswer(
                    try await answer(
                        notification.type.rawValue, notification.payload, appData: notification.appData,
                        messageID: notification.messageID, for: account.text,
                        within: max(deadline - MonotonicClock.system.now(), .zero)))
            } catch {
                return NotificationAnswer(error, ofHandlerFor: notification.type)
            }
        }
    }
}

extension NotificationAnswer {
    init(_ answer: NotificationHook.Answer) {
        let text = answer.text.map { NotificationText(title: $0.title, body: $0.body, lifetime: .dismissible) }
        guard let json = answer.reply else {
            self = .done(text: text)
            return
        }
        // The two forms of an error: LUD-06, and that of BOLT12 over webhooks.
        let isError = json["status"] == "ERROR" || !(json["error"]?.isNull ?? true)
        self = .reply(Reply(.object(json), isError: isError))
        self.text = text
    }

    init(_ fault: BackendFault, ofHandlerFor type: NotificationType) {
        let (isRefused, reason): (Bool, String) =
            switch fault {
            case .refused(let text): (true, "refused it" + (text.isEmpty ? "" : ": \(text)"))
            case .unsupported: (true, "does not know the type")
            case .unreachable(let text): (false, "cannot be reached: \(text)")
            case .timedOut: (false, "did not answer in time")
            case .overloaded: (false, "has too much to do")
            case .malformedAnswer(let text): (false, "gave a wrong answer: \(text)")
            case .storage, .nothingReceivable, .amountNotPossible, .duplicate, .wrongNetwork: (true, "refused it")
            }
        self.init(
            .none(isRefused ? .refused : .transient), outcome: isRefused ? .refused : .failed,
            cause: "the handler of \(type) \(reason)")
    }
}
