import LNURL
public import LightningCoding
public import Receiving

extension Account {
    /// The account as the operator sees it.
    public func json(address: String) -> JSONValue {
        var object: JSONObject = [
            "name": .string(name.text),
            "address": .string(address),
            "version": .unsigned(version),
            "createdAt": .string(createdAt.iso8601),
        ]
        for member in settings.json.object?.members ?? [] { object.append(member.key, member.value) }
        return .object(object)
    }
}
