public import Contracts
public import LightningCoding
import LightningCrypto

extension Device {
    /// As shown by commands and the admin interface: without its address, with which anybody who has the credentials
    /// could push to it.
    public var json: JSONValue {
        let (since, dropped): (UnixTime?, (at: UnixTime, reason: String)?) =
            switch state {
            case .live(_, let since): (since, nil)
            case .dropped(let moment, let reason): (nil, (moment, reason))
            }
        return [
            "id": .string(id.description),
            "owner": .string(profile.owner.hexadecimal),
            "install": .string(profile.install.text),
            "state": .string(dropped == nil ? "live" : "dropped"),
            "platform": .text(address?.platform),
            "environment": .text(address?.environment.rawValue),
            "locale": .text(profile.locale),
            "registeredAt": .string(registeredAt.iso8601),
            "lastContact": .string(lastContact.iso8601),
            "addressSince": .text(since?.iso8601),
            "droppedAt": .text(dropped?.at.iso8601),
            "reason": .text(dropped?.reason),
            "lastWake": .text(catchUp.lastWake?.iso8601),
            "wakeDue": .text(catchUp.wakeDue?.iso8601),
        ]
    }
}
