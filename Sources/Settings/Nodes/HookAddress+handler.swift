import HookBackend
import LNURL
import LightningCoding
import Platform
import Contracts
package import Notifications

extension HookAddress {
    /// Answers notifications by this hook. It is not called yet, and may start later.
    ///
    /// - Throws: a fault with its reason, when it cannot be used as configured.
    package func handler() throws -> NotificationHandler {
        let hook = try hook()
        return { notification, account, deadline in
            do throws(NotificationHook.Fault) {
                return NotificationAnswer(
                    try await hook.answer(
                        notification.type.rawValue, notification.payload, appData: notification.appData,
                        messageID: notification.messageID, for: account,
                        within: max(deadline - MonotonicClock.system.now(), .zero)))
            } catch {
                return NotificationAnswer(error, ofHandlerFor: notification.type)
            }
        }
    }

    private func hook() throws -> NotificationHook {
        switch self {
        case .service(let url, let tokenFile, let certificateFile):
            try NotificationHook(url, tokenPath: tokenFile, certificateAuthorities: certificateFile)
        case .program(let command):
            try NotificationHook(running: command, environment: ProcessEnvironment.forPrograms)
        }
    }
}

extension NotificationAnswer {
    fileprivate init(_ answer: NotificationHook.Answer) {
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

    fileprivate init(_ fault: NotificationHook.Fault, ofHandlerFor type: NotificationType) {
        let (isRefused, reason): (Bool, String) =
            switch fault {
            case .refused(let text): (true, "refused it" + (text.isEmpty ? "" : ": \(text)"))
            case .unsupported: (true, "does not know the type")
            case .failed(.unreachable(let text)): (false, "cannot be reached: \(text)")
            case .failed(.timedOut): (false, "did not answer in time")
            case .failed(.overloaded): (false, "has too many calls waiting")
            case .failed(.malformedAnswer(let text)): (false, "gave a wrong answer: \(text)")
            case .failed(.refused(let text)): (false, "failed: \(text)")
            case .failed: (false, "failed")
            }
        self.init(
            .none(isRefused ? .refused : .transient), outcome: isRefused ? .refused : .failed,
            cause: "the handler of \(type) \(reason)")
    }
}
