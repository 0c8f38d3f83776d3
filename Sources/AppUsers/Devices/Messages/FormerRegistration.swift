package import LNURL
package import LightningCoding
import LightningCrypto
package import ResponderModel

/// What a registration was, as far as its owner is told when it changes; without its webhook, which holds a secret.
package struct FormerRegistration: OutboxJob, Hashable {
    /// Whose.
    package let registration: RegistrationID
    /// The name; nil when there was none.
    package let name: AddressName?
    /// The registration's own.
    package let version: UInt64
    /// Where questions went; nil for nowhere.
    let destination: [UInt8]?

    package init(_ registration: Registration) {
        self.registration = registration.id
        name = registration.name
        version = registration.version
        destination = registration.webhook?.destination
    }

    /// How long after a removal its owner is told, in seconds: a wallet whose push token has changed removes its
    /// registration and makes another one.
    static let pause: UInt64 = 60

    package init?(_ work: OutboxWork) {
        guard let json = work.payloadJSON,
            let key = json["key"]?.string.flatMap({ try? PublicKey(hexadecimal: $0) }),
            let domain = json["domain"]?.string.flatMap({ try? DomainName($0) }),
            let version = json["version"]?.uint64
        else { return nil }
        registration = RegistrationID(key, at: domain)
        name = json["name"]?.string.flatMap { try? AddressName($0) }
        destination = json["destination"]?.string.flatMap { try? Hexadecimal.decode($0) }
        self.version = version
    }

    package static let kind = OutboxKind.registrationRemoval
    package var id: OutboxID { Self.id(of: registration) }

    package static func id(of id: RegistrationID) -> OutboxID {
        OutboxID(
            unchecked: "removal-"
                + Hexadecimal.encode(SHA256.hash("\(id.key.hexadecimal)@\(id.domain)".utf8).prefix(16)))
    }

    /// `{"key":"…","domain":"…","name":"…","version":7,"destination":"…"}`
    package var payload: [UInt8] {
        JSONValue.object([
            "key": .string(registration.key.hexadecimal), "domain": .string(registration.domain.text),
            "name": .text(name?.text),
            "version": .unsigned(version), "destination": .text(destination.map { Hexadecimal.encode($0) }),
        ]).serializedBytes()
    }
}

extension OutboxWork {
    /// Telling an owner that a registration was removed, unless it is made again soon.
    package init(tellingOfRemovalOf former: Registration, at now: UnixTime) {
        self.init(
            FormerRegistration(former), at: now, dueAt: now.adding(seconds: FormerRegistration.pause))
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
