import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension DeviceMessage.Content {
    /// How long devices are told of a notice, in seconds: a month.
    private static let lifetime: UInt64 = 30 * 86_400

    /// What an owner is told when their Lightning address, or where its payers' questions go, has changed; nil when neither
    /// has. Whoever has the key of a wallet can change both.
    ///
    /// - Parameters:
    ///   - former: the registration before.
    ///   - present: the registration now; nil when it was removed.
    package init?(changeOf former: FormerRegistration, to present: Registration?, at moment: UnixTime) {
        func address(_ name: AddressName?) -> String {
            "\(name.map { "\($0)" } ?? "Your name")@\(former.registration.domain)"
        }
        let (title, body): (String, String)
        if let present {
            if former.name != present.name {
                title = "Your Lightning address has changed"
                body = "\(address(former.name)) is now \(address(present.name))."
            } else if former.destination != nil, former.destination != present.webhook?.destination {
                title = "Your Lightning address is answered elsewhere"
                body = "Another device or service answers for \(address(former.name)) now."
            } else {
                return nil
            }
        } else {
            title = "Your Lightning address was removed"
            body = "\(address(former.name)) cannot be paid any more."
        }
        let change = SHA256.hash("\(former.registration.domain) \(former.version) \(present?.version ?? 0)".utf8)
        self.init(security: "registration", change, to: former.registration.key, title, body, at: moment)
    }

    /// What an owner is told when a device was added beside others.
    package init?(added device: Device, at moment: UnixTime) {
        self.init(
            security: "device", device.id.bytes, to: device.profile.owner, "A device was added",
            "Another device is told of your payments now.", at: moment)
    }

    private init?(
        security topic: String, _ digest: [UInt8], to owner: PublicKey, _ title: String, _ body: String,
        at moment: UnixTime
    ) {
        guard let id = MessageID("\(topic)-" + Hexadecimal.encode(digest.prefix(16))) else { return nil }
        self.init(
            id: id, owner: owner, type: .security, priority: .high, title: title,
            body: body + " If this was not you, somebody else has the key of your wallet.", createdAt: moment,
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
