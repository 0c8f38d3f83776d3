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
    package init?(changeOf former: Registration, to present: Registration?, at moment: UnixTime) {
        func address(_ registration: Registration) -> String {
            "\(registration.name.map { "\($0)" } ?? "Your name")@\(registration.id.domain)"
        }
        let (title, body): (String, String)
        if let present {
            if former.name != present.name {
                title = "Your Lightning address has changed"
                body = "\(address(former)) is now \(address(present))."
            } else if former.webhook != nil, former.webhook != present.webhook {
                title = "Your Lightning address is answered elsewhere"
                body = "Another device or service answers for \(address(former)) now."
            } else {
                return nil
            }
        } else {
            title = "Your Lightning address was removed"
            body = "\(address(former)) cannot be paid any more."
        }
        let change = SHA256.hash("\(former.id.domain) \(former.version) \(present?.version ?? 0)".utf8)
        guard let id = MessageID("registration-" + Hexadecimal.encode(change.prefix(16))) else { return nil }
        self.init(
            id: id, owner: former.id.key, type: .security, priority: .high, title: title,
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
