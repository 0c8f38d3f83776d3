public import Contracts
import LNURL
public import LightningCoding
import LightningCrypto

extension Registration {
    /// As shown by commands and the admin interface. Of the webhook, which holds a token, only the origin.
    public var json: JSONValue {
        [
            "key": .string(id.key.hexadecimal),
            "domain": .string(id.domain.text),
            "name": .text(name?.text),
            "address": .text(address),
            "webhook": .text(webhook?.origin),
            "offer": .text(offer),
            "createdAt": .string(createdAt.iso8601),
            "refreshedAt": .string(refreshedAt.iso8601),
        ]
    }

    /// The same with the URL at which forwarders post BOLT12 requests for the name, which holds a secret.
    public func json(forwarder: HTTPURL?) -> JSONValue {
        guard let forwarder, var object = json.object else { return json }
        object.append("forwarder", .string(forwarder.text))
        return .object(object)
    }

    /// What payers type; nil without a name. Below a wildcard the name is a host of its own.
    public var address: String? {
        guard let name else { return nil }
        return id.domain.isWildcard ? "_@\(name)\(id.domain.text.dropFirst())" : "\(name)@\(id.domain)"
    }
}
