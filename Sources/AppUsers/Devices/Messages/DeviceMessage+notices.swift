import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension DeviceMessage.Content {
    /// How long devices are told of a notice, in seconds: a month.
    private static let lifetime: UInt64 = 30 * 86_400

    /// What an owner is told when their Lightning address, or where its payers' questions go, has changed.
    package init?(_ change: RegistrationChange, at moment: UnixTime) {
        let (former, present) = (change.former, change.present)
        func address(_ name: AddressName?) -> String {
            "\(name.map { "\($0)" } ?? "Your name")@\(change.registration.domain)"
        }
        let (title, body): (String, String)
        var otherwise = Self.theft
        if let present, former.name != present.name {
            title = "Your Lightning address has changed"
            body = "\(address(former.name)) is now \(address(present.name))."
        } else if present != nil {
            title = "Your Lightning address is answered elsewhere"
            body = "Another device, service or push token answers for \(address(former.name)) now."
        } else {
            title = "Your Lightning address was removed"
            body = "\(address(former.name)) can no longer be paid."
            otherwise = "it was not renewed in time, its operator has removed it, or \(otherwise)"
        }
        let versions = "\(change.registration.domain) \(former.version) \(present?.version ?? 0)"
        self.init(
            security: "registration", SHA256.hash(versions.utf8), to: change.registration.key, title, body,
            or: otherwise,
            at: moment)
    }

    /// What an owner is told when a device was added beside others.
    package init?(added device: Device, at moment: UnixTime) {
        self.init(
            security: "device", device.id.bytes, to: device.profile.owner, "A device was added",
            "Another device is told of your payments now.", or: Self.theft, at: moment)
    }

    private static let theft = "somebody else has the key of your wallet"

    private init?(
        security topic: String, _ digest: [UInt8], to owner: PublicKey, _ title: String, _ body: String,
        or otherwise: String, at moment: UnixTime
    ) {
        guard let id = MessageID("\(topic)-" + Hexadecimal.encode(digest.prefix(16))) else { return nil }
        self.init(
            id: id, owner: owner, type: .security, priority: .high, title: title,
            body: body + " If this was not you, \(otherwise).", createdAt: moment,
            expiresAt: moment.adding(seconds: Self.lifetime))
    }

    /// What the operator tells every owner. The same text is told to nobody twice.
    package init?(announcing text: String, to owner: PublicKey, at moment: UnixTime) {
        guard let id = MessageID("announcement-" + Hexadecimal.encode(SHA256.hash(text.utf8).prefix(16))) else {
            return nil
        }
        self.init(
            id: id, owner: owner, type: .announcement, priority: .low, title: "Announcement", body: text,
            createdAt: moment, expiresAt: moment.adding(seconds: Self.lifetime))
    }
}
