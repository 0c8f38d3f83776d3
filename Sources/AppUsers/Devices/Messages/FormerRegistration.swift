package import LNURL
package import LightningCoding
import LightningCrypto
package import ResponderModel

/// What a registration was, as far as its owner is told when it changes; without its webhook, which holds a secret.
package struct FormerRegistration: Hashable, Sendable {
    /// Whose.
    package let id: RegistrationID
    /// The name; nil when there was none.
    package let name: AddressName?
    /// The registration's own.
    package let version: UInt64
    /// Where questions went; nil for nowhere.
    let destination: [UInt8]?

    package init(_ registration: Registration) {
        id = registration.id
        name = registration.name
        version = registration.version
        destination = registration.webhook?.destination
    }

    /// How long after a removal its owner is told, in seconds: a wallet whose push token has changed removes its
    /// registration and makes another one.
    static let pause: UInt64 = 60

    /// Reads the payload of work that tells of a removal; nil when it is invalid.
    package init?(payload: [UInt8]) {
        guard let json = try? JSONValue(parsing: payload),
            let key = json["key"]?.string.flatMap({ try? PublicKey(hexadecimal: $0) }),
            let domain = json["domain"]?.string.flatMap({ try? DomainName($0) }),
            let version = json["version"]?.uint64
        else { return nil }
        id = RegistrationID(key, at: domain)
        name = json["name"]?.string.flatMap { try? AddressName($0) }
        destination = json["destination"]?.string.flatMap { try? Hexadecimal.decode($0) }
        self.version = version
    }

    /// `{"key":"…","domain":"…","name":"…","version":7,"destination":"…"}`
    fileprivate var payload: [UInt8] {
        JSONValue.object([
            "key": .string(id.key.hexadecimal), "domain": .string(id.domain.text), "name": .text(name?.text),
            "version": .unsigned(version), "destination": .text(destination.map { Hexadecimal.encode($0) }),
        ]).serializedBytes()
    }
}

extension OutboxWork {
    /// Telling an owner that a registration was removed, unless it is made again soon.
    package init(tellingOfRemovalOf former: Registration, at now: UnixTime) {
        self.init(
            id: .registrationRemoval(former.id), kind: .registrationRemoval, account: nil,
            payload: FormerRegistration(former).payload, createdAt: now,
            state: .pending(dueAt: now.adding(seconds: FormerRegistration.pause)))
    }
}

extension WebhookURL {
    /// Stands for where questions go: for the URL without its query, which holds the token that a push provider gives a device
    /// and changes at will, but with a handle of a device, which never changes. SHA-256.
    var destination: [UInt8] {
        let handles = url.queryItems.map(\.value).filter { DeviceHandles.isHandle($0) }
        return SHA256.hash((origin + url.path + handles.map { " " + $0 }.joined()).utf8)
    }
}
