package import LNURL
import LightningCoding
import LightningCrypto

/// A registration whose name, or where its payers' questions go, was changed, or that was removed. Its owner is told: whoever
/// has the key of a wallet can order all of these.
package struct RegistrationChange: OutboxJob, Hashable {
    package let registration: RegistrationID
    package let former: State
    /// Nil when it was removed.
    package let present: State?

    /// What a registration is, as far as its owner is told when it changes.
    package struct State: Hashable, Sendable {
        package let version: UInt64
        package let name: AddressName?
        /// SHA-256 of the webhook, which holds a secret; nil for none. A push token in its query decides who answers, too.
        let webhook: [UInt8]?

        package init(_ registration: Registration) {
            version = registration.version
            name = registration.name
            webhook = registration.webhook.map { SHA256.hash($0.text.utf8) }
        }

        fileprivate init?(_ json: JSONValue?) {
            guard let json, let version = json["version"]?.uint64 else { return nil }
            self.version = version
            name = json["name"]?.string.flatMap { try? AddressName($0) }
            webhook = json["webhook"]?.string.flatMap { try? Hexadecimal.decode($0) }
        }

        fileprivate var json: JSONValue {
            [
                "version": .unsigned(version), "name": .text(name?.text),
                "webhook": .text(webhook.map { Hexadecimal.encode($0) }),
            ]
        }
    }

    /// Nil when there is nothing to tell: what was asked nowhere before is not asked elsewhere now.
    package init?(of registration: RegistrationID, from former: State, to present: State?) {
        if let present {
            let isElsewhere = former.webhook != nil && former.webhook != present.webhook
            guard former.name != present.name || isElsewhere else { return nil }
        }
        self.registration = registration
        self.former = former
        self.present = present
    }

    package init?(_ work: OutboxWork) {
        guard let json = work.payloadJSON, let key = json["key"]?.string.flatMap({ try? PublicKey(hexadecimal: $0) }),
            let domain = json["domain"]?.string.flatMap({ try? DomainName($0) }), let former = State(json["former"])
        else { return nil }
        self.init(of: RegistrationID(key, at: domain), from: former, to: State(json["present"]))
    }

    package static let kind = OutboxKind.registrationChange

    /// No two versions of any registration are the same.
    package var id: OutboxID { OutboxID(unchecked: "registration-\(former.version)-\(present?.version ?? 0)") }
    package var subject: OutboxSubject? { Self.subject(of: registration) }

    /// By which the last change of a registration is found.
    package static func subject(of id: RegistrationID) -> OutboxSubject {
        OutboxSubject("\(id.domain)", id.key.hexadecimal)
    }

    /// `{"key":"…","domain":"…","former":{"version":7,"name":"…","webhook":"…"},"present":…}`
    package var payload: [UInt8] {
        JSONValue.object([
            "key": .string(registration.key.hexadecimal), "domain": .string(registration.domain.text),
            "former": former.json, "present": present?.json ?? .null,
        ]).serializedBytes()
    }

    /// How long after a removal its owner is told, in seconds: nobody is when a wallet makes the registration again as it was.
    package static let pause: UInt64 = 60
}
