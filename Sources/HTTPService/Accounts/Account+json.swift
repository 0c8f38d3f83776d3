import LNURL
public import LightningCoding
public import Contracts

extension Account {
    /// The account as the operator sees it.
    ///
    /// - Parameter webhook: the URL that forwarders call; nil omits it, since anyone who knows it can create invoices for
    ///   the account.
    public func json(webhook: HTTPURL? = nil) -> JSONObject {
        let address = address
        var object: JSONObject = [
            "name": .string(name.text),
            "domain": .string(domain.name.text),
            "address": .string(address.text),
            "lnurl": .string(EncodedURL.encode(address.payURL)),
            "version": .unsigned(version),
            "createdAt": .string(createdAt.iso8601),
        ]
        for member in settings.json.object?.members ?? [] { object.append(member.key, member.value) }
        if let webhook { object.append("webhook", .string(webhook.text)) }
        return object
    }

    /// Read-only members of `json`, ignored when sent back.
    static let describingKeys = ["name", "domain", "address", "lnurl", "version", "createdAt", "webhook"]
}
