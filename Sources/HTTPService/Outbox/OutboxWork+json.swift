import LNURL
public import LightningCoding
public import Contracts

extension OutboxWork {
    /// The work as the operator sees it in a list.
    public var json: JSONValue { .object(members) }

    /// The same with its payload.
    public var detailedJSON: JSONValue {
        var object = members
        object.append("payload", .string(String(decoding: payload, as: UTF8.self)))
        return .object(object)
    }

    private var members: JSONObject {
        var dueAt: UnixTime?
        var parkedAt: UnixTime?
        switch state {
        case .pending(let time): dueAt = time
        case .parked(let time): parkedAt = time
        }
        return [
            "id": .string(id.text), "kind": .string(kind.rawValue), "account": .text(account?.name.text),
            "domain": .text(account?.domain.text),
            "state": .string(isParked ? "parked" : "pending"), "createdAt": .string(createdAt.iso8601),
            "deadline": .text(deadline?.iso8601), "dueAt": .text(dueAt?.iso8601), "parkedAt": .text(parkedAt?.iso8601),
            "attempts": .unsigned(attempts), "failure": .text(failure),
        ]
    }
}
