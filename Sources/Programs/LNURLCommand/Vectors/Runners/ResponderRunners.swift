import LightningCoding
import LightningCrypto
import ResponderCore

extension VectorRunner {
    static let responder = [
        VectorRunner("responder", "read") { input in
            let notification = try input.notificationReader().read(Array(input.text("notification").utf8))
            return [
                "type": .string(notification.type.rawValue),
                "envelope": .string(notification.envelope.rawValue),
                "payload": .object(notification.payload),
                "replyURL": .text(notification.replyURL),
                "appData": notification.appData ?? .null,
                "messageID": .text(notification.messageID),
                "closed": .bool(notification.isClosed),
            ]
        }
    ]
}

extension VectorInput {
    fileprivate func notificationReader() throws(InputFault) -> NotificationReader {
        var names = EnvelopeNames()
        if has("names") {
            let given = try member("names")
            for member in given.object.members {
                guard let name = member.value.string else { throw fault("names") }
                switch member.key {
                case "template": names.template = name
                case "event": names.event = name
                case "data": names.data = name
                case "notification_type": names.type = name
                case "notification_payload": names.payload = name
                case "app_data": names.appData = name
                case "body": names.body = name
                default: throw fault("names")
                }
            }
        }
        guard has("key") else { return NotificationReader(names: names) }
        let bytes = try bytes("key")
        guard let key = try? SecretKey(bytes) else { throw fault("key") }
        return NotificationReader(names: names, key: PayloadKey(key, purpose: try text("purpose")))
    }
}

extension ReceivedNotification {
    fileprivate var isClosed: Bool {
        if case .undecipherable = event { true } else { false }
    }
}

extension EnvelopeFault: NamedRule {
    package var rule: String {
        switch self {
        case .member(let fault): "envelope-" + fault.problem.caseName
        case .payload(let fault): "payload-" + fault.problem.caseName
        default: caseName
        }
    }
}

extension MemberFault.Problem: NamedRule {}
