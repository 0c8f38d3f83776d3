import LightningCoding
package import LightningCrypto

package enum ReceivedWake: Hashable, Sendable {
    /// Something to handle, and then to acknowledge.
    case wake(WakeMessage)
    /// Something to handle, in the legacy format.
    case legacy(LegacyWakeMessage)
    /// The alert that follows a wake which was not handled in time; nothing is encrypted in it.
    case fallback(WakeID, WakeTopic)

    /// Reads what an app receives: the dictionary of an APNs notification, or the data of an FCM message.
    package init(push: [UInt8], for device: SecretKey) throws(WakeFault) {
        let value = try rethrowing(JSONValue(parsing: push), as: WakeFault.json)
        try self.init(JSONMembers(value), for: device)
    }

    private init(_ push: JSONMembers<WakeFault>, for device: SecretKey) throws(WakeFault) {
        if push.has("wake_fallback") {
            let fallback = try push.nested("wake_fallback")
            guard try fallback.unsigned("v") == 1 else { throw .version }
            self = .fallback(
                try fallback.parsed("id", WakeID.init), try fallback.parsed("topic", WakeTopic.init))
        } else if push.has("wake") {
            let container = try WakeContainer(push.nested("wake"), as: .current)
            self = .wake(try WakeMessage(container.opened(with: device)))
        } else if let legacy = push.legacyContainer {
            let container = try WakeContainer(legacy, as: .legacy)
            self = .legacy(try LegacyWakeMessage(container.opened(with: device)))
        } else {
            throw .noWake
        }
    }
}

extension JSONMembers<WakeFault> {
    /// An object, or its text: FCM carries texts only.
    fileprivate func nested(_ key: String) throws(WakeFault) -> JSONMembers {
        guard let text = try value(key).string else { return try member(key) }
        let value = try rethrowing(JSONValue(parsing: text), as: fault(key))
        return try JSONMembers(value, at: key)
    }

    /// In the alert of an APNs notification, or the data of an FCM message itself.
    fileprivate var legacyContainer: JSONMembers? {
        if let payload = optional("aps")?["alert"]?["payload"]?.object {
            return JSONMembers(payload, at: "aps.alert.payload")
        }
        return has("cipher") ? self : nil
    }
}
