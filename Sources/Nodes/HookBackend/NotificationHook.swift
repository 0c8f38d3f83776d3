import LNURL
package import LightningCoding
package import ResponderModel

/// Answers notifications of custom types, by a service or a program that implements the method `notification` of our
/// hook contract (`docs/hook-api.yaml`).
package final class NotificationHook: Sendable {
    private let transport: any HookTransport

    /// The longest reply, in bytes.
    package static let maximumReply = 1 << 16
    /// The longest title and the longest body of a text, in bytes.
    package static let maximumText = 1 << 10

    /// - Throws: `BackendFault.refused` when the token would be sent unencrypted.
    package convenience init(at address: HookAddress) throws(BackendFault) {
        var limits = CallLimits()
        limits.maximumAnswerBytes = 1 << 20
        self.init(over: try address.transport(limits))
    }

    init(over transport: any HookTransport) {
        self.transport = transport
    }

    deinit {
        transport.close()
    }

    package struct Answer: Hashable, Sendable {
        /// What the sender gets; nil for nothing.
        package let reply: JSONObject?
        /// What the user sees; nil for nothing.
        package let text: Text?
    }

    /// Why a notification is not answered.
    package enum Fault: Error, Hashable, Sendable {
        /// The hook refuses it, for good.
        case refused(String)
        /// The hook does not know the type.
        case unsupported
        /// The hook cannot be called, fails, or breaks the contract: a retry may help once that is mended.
        case failed(BackendFault)

        /// Nil for an error that is a failure.
        fileprivate init?(refusalIn error: JSONValue) {
            guard let code = error["code"]?.string.map({ ExactText($0) }) else { return nil }
            switch (code, BackendFault(hookError: error)) {
            case ("refused", .refused(let message)): self = .refused(message)
            case ("unsupported", _): self = .unsupported
            default: return nil
            }
        }
    }

    package struct Text: Hashable, Sendable {
        /// The first line; not empty.
        package let title: String
        /// The second line; nil for none.
        package let body: String?
    }

    /// Has a notification answered.
    ///
    /// - Parameters:
    ///   - payload: as received.
    ///   - appData: the data added by the app's own backend; nil for none.
    ///   - messageID: the sender's id of the message; nil when there is none.
    ///   - time: how long the hook may take.
    package func answer(
        _ type: String, _ payload: JSONObject, appData: JSONValue?, messageID: String?, for account: AccountID,
        within time: Duration
    ) async throws(Fault) -> Answer {
        let parameters: JSONObject = [
            "account": .string(account.name.text), "domain": .string(account.domain.text), "type": .string(type),
            "payload": .object(payload),
            "appData": appData ?? .null, "messageID": .text(messageID),
            "secondsLeft": .unsigned(UInt64(max(0, time.components.seconds))),
        ]
        let response = try await awaiting(
            await transport.call(.notification, parameters, within: time), as: Fault.failed)
        if case .error(let error) = response, let refusal = Fault(refusalIn: error) { throw refusal }
        return try rethrowing(Answer(NodeAnswer(response.result, to: .notification)), as: Fault.failed)
    }
}

extension NotificationHook.Answer {
    init(_ answer: NodeAnswer) throws(BackendFault) {
        reply = answer.has("reply") ? try answer.member("reply").object : nil
        if let reply, JSONValue.object(reply).serializedBytes().count > NotificationHook.maximumReply {
            throw answer.fault("reply")
        }
        text = answer.has("text") ? try NotificationHook.Text(answer.member("text")) : nil
    }
}

extension NotificationHook.Text {
    fileprivate init(_ text: NodeAnswer) throws(BackendFault) {
        title = try text.text("title")
        guard !title.isEmpty, title.utf8.count <= NotificationHook.maximumText else { throw text.fault("title") }
        body = try text.optionalText("body")
        guard body?.utf8.count ?? 0 <= NotificationHook.maximumText else { throw text.fault("body") }
    }
}
