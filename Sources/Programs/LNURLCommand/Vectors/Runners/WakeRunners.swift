import Devices
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

extension VectorRunner {
    static let wakes = [
        // Encrypts a message for a device.
        VectorRunner("wake", "seal") { input in
            let drawn = try DrawnBytes([input.bytes("ephemeral"), input.bytes("iv")])
            let container = try WakeContainer(
                sealing: Array(input.text("plaintext").utf8), for: PublicKey(input.bytes("device")),
                as: input.unsigned("version") == 0 ? .legacy : .current, random: drawn.next)
            return ["container": .string(JSONValue.object(container.json).serialized())]
        },
        // Reads what an app receives.
        VectorRunner("wake", "receive") { input in
            let push = try input.text("push")
            switch try ReceivedWake(push: Array(push.utf8), for: SecretKey(input.bytes("device"))) {
            case .wake(let message):
                return [
                    "kind": "wake", "id": .string(message.id.text), "topic": .string(message.topic.text),
                    "urgency": .string(message.urgency.rawValue), "deadline": .unsigned(message.deadline.seconds),
                    "payload": .string((message.payload ?? .null).serialized()),
                ]
            case .legacy(let message):
                return [
                    "kind": "legacy", "source": .string(message.source), "type": .string(message.type),
                    "payload": .string(message.payload.serialized()), "createdAt": .string(message.createdAt),
                ]
            case .fallback(let id, let topic):
                return ["kind": "fallback", "id": .string(id.text), "topic": .string(topic.text)]
            }
        },
        // Reads and checks what a wallet signs to register a device.
        VectorRunner("wake", "registration") { input in
            let body = try rethrowing(
                JSONValue(parsing: input.text("body")), as: BrokenRule(name: "json"))
            let statement = try DeviceStatement(JSONMembers(body), of: input.parsed("install", InstallID.init))
            let audience = try input.text("audience")
            try statement.check(for: audience, at: UnixTime(input.unsigned("now")))
            return [
                "text": .string(statement.text(for: audience)), "owner": .string(statement.profile.owner.hexadecimal),
            ]
        },
        // Hides from a provider what a push message is about.
        VectorRunner("wake", "collapse-id") { input in
            let id = try CollapseID(
                secret: input.bytes("secret"), identity: input.text("identity"),
                topic: input.parsed("topic", WakeTopic.init).text, key: input.text("key"))
            return ["collapseID": .string(id.text)]
        },
        // Makes the request to a provider.
        VectorRunner("wake", "push") { input in
            let lifetime = try input.has("lifetime") ? input.unsigned("lifetime") : 0
            let push = try input.wakePush(
                expires: input.has("expires") ? UnixTime(input.unsigned("expires")) : UnixTime(lifetime))
            guard try input.text("provider") == "apns" else {
                let body = push.fcmBody(token: try input.text("token"), at: UnixTime(0))
                return ["body": .string(JSONValue.object(body).serialized())]
            }
            let fields = push.apnsFields(bundle: try input.text("bundle"), requestID: try input.text("requestID"))
            return [
                "headers": .array(fields.map { .array([.string($0.name), .string($0.value)]) }),
                "body": .string(JSONValue.object(push.apnsBody).serialized()),
            ]
        },
    ]
}

extension VectorInput {
    fileprivate func wakePush(expires: UnixTime) throws -> WakePush {
        let content: WakePush.Content =
            switch try text("content") {
            case "legacy": .legacy(try container(.legacy))
            case "silent":
                .silent(try container(.current), isUrgent: try has("isUrgent") ? flag("isUrgent") : true)
            case "alert":
                .alert(
                    try container(.current), try alertText(),
                    isTimeSensitive: try has("isTimeSensitive") ? flag("isTimeSensitive") : false)
            case "fallback": .fallback(try alertText())
            default: throw InputFault(member: "content")
            }
        return WakePush(
            content, about: try parsed("id", WakeID.init), topic: try parsed("topic", WakeTopic.init),
            collapse: try optionalText("collapseID").map { CollapseID($0) }, expires: expires)
    }

    private func container(_ format: WakeFormat) throws -> WakeContainer {
        try WakeContainer(JSONMembers<WakeFault>(JSONValue(parsing: text("container"))), as: format)
    }

    private func alertText() throws -> AlertText {
        AlertText(title: try text("title"), body: try text("body"))
    }
}

/// Gives a case's bytes for random ones, in order.
private final class DrawnBytes: Sendable {
    private let pieces: Guarded<[[UInt8]]>

    init(_ pieces: [[UInt8]]) {
        self.pieces = Guarded(pieces.reversed())
    }

    func next(_ count: Int) throws(CryptoFault) -> [UInt8] {
        let piece = pieces.withLock { $0.popLast() } ?? []
        guard piece.count == count else { throw .invalidLength(expected: count, found: piece.count) }
        return piece
    }
}

extension DeviceStatementFault {
    var rule: String {
        switch self {
        case .member(_, let problem): problem.rule
        case .time: "time"
        case .signature: "signature"
        }
    }
}

extension JSONMemberProblem {
    fileprivate var rule: String {
        switch self {
        case .missing: "missing"
        case .notText: "not-text"
        case .notAFlag: "not-a-flag"
        case .notWholeNumber: "not-whole-number"
        case .notAnObject: "not-an-object"
        case .notAnArray: "not-an-array"
        case .malformed: "malformed"
        }
    }
}

extension WakeFault {
    var rule: String {
        switch self {
        case .json: "json"
        case .member(_, let problem): problem.rule
        case .noWake: "no-wake"
        case .version: "version"
        case .authentication: "authentication"
        case .plaintext: "plaintext"
        }
    }
}
