public import LNURL
public import LightningCoding
public import Contracts

extension Account {
    /// The account as the operator sees it.
    ///
    /// - Parameters:
    ///   - address: where it is paid.
    ///   - webhook: where forwarders notify it; nil leaves it out, since whoever has it can make invoices of the account.
    public func json(address: LightningAddress, webhook: HTTPURL? = nil) -> JSONObject {
        var object: JSONObject = [
            "name": .string(name.text),
            "address": .string(address.text),
            "lnurl": .string(EncodedURL.encode(address.payURL)),
            "version": .unsigned(version),
            "createdAt": .string(createdAt.iso8601),
        ]
        for member in settings.json.object?.members ?? [] { object.append(member.key, member.value) }
        if let webhook { object.append("webhook", .string(webhook.text)) }
        return object
    }

    /// The members of `json` that are no settings, and so say nothing when they are sent back.
    static let describingKeys = ["name", "address", "lnurl", "version", "createdAt", "webhook"]
}
