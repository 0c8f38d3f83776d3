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
            "address": .text(account?.text),
            "webhook": .text(webhook?.origin),
            "offer": .text(offer),
            "description": .text(description),
            "createdAt": .unsigned(createdAt.seconds),
            "refreshedAt": .unsigned(refreshedAt.seconds),
        ]
    }
}
