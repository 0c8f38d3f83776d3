package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// A wake of one device that somebody has ordered, and the alert that follows unless the device handles it in time:
/// `{"id":"…","topic":"…","deadline":<s>,"payload":…,"title":"…","body":"…"}`.
package struct WakeOrder: Hashable, Sendable {
    /// The wake's id, by which a repeated order is known.
    package let id: WakeID
    package let topic: WakeTopic
    package let deadline: UnixTime
    package let payload: JSONValue?
    /// What the person reads when the app has not handled it.
    package let text: AlertText

    /// How long a wake may be useful, in seconds: a day.
    package static let longest: UInt64 = 86_400
    /// How long it is useful unless the order says so.
    package static let usual: UInt64 = 60
    /// The longest payload, in bytes, so that no provider refuses the wake.
    package static let longestPayload = 2048

    /// Reads an order.
    ///
    /// - Parameters:
    ///   - members: `topic`, and perhaps `id`, `deadline`, `payload`, `title`, `body`.
    ///   - now: the time.
    ///   - id: the wake's, when the order names none.
    package init(
        _ members: JSONMembers<DeviceMemberFault>, at now: UnixTime, named id: WakeID
    ) throws(DeviceMemberFault) {
        self.id = members.has("id") ? try members.parsed("id", WakeID.init) : id
        topic = try members.parsed("topic", WakeTopic.init)
        deadline =
            members.has("deadline")
            ? UnixTime(try members.unsigned("deadline")) : now.adding(seconds: Self.usual)
        guard now < deadline, deadline.seconds(since: now) <= Self.longest else { throw members.fault("deadline") }
        payload = members.optional("payload")
        guard payload?.serializedBytes().count ?? 0 <= Self.longestPayload else { throw members.fault("payload") }
        text = AlertText(
            title: try members.optionalText("title") ?? "Action needed",
            body: try members.optionalText("body") ?? "Open the app to continue.")
        for (key, value) in [("title", text.title), ("body", text.body)] where !(1...200).contains(value.utf8.count) {
            throw members.fault(key)
        }
    }

    package init(_ body: [UInt8], at now: UnixTime, named id: WakeID) throws(MessageCenterRefusal) {
        self = try MessageCenter.request(in: body) { members throws(DeviceMemberFault) in
            try Self(members, at: now, named: id)
        }
    }

    package var json: JSONObject {
        [
            "id": .string(id.text), "topic": .string(topic.text), "deadline": .unsigned(deadline.seconds),
            "payload": payload ?? .null, "title": .string(text.title), "body": .string(text.body),
        ]
    }

    package enum Push: Hashable, Sendable {
        /// The first, silent.
        case wake
        /// The second, visible.
        case alert
    }

    /// When the owner is alerted, unless the device has handled a wake that was ordered at that moment: after eight seconds,
    /// and twenty before the deadline at the latest, so that the person can still act.
    package func alertAt(orderedAt time: UnixTime) -> UnixTime {
        time.adding(seconds: min(8, deadline.seconds(since: time.adding(seconds: 20))))
    }

    /// One of the two push messages; nil for a device that cannot decrypt. A silent one that is useful for a minute only
    /// is as urgent as a payer's question.
    ///
    /// - Parameters:
    ///   - push: which one.
    ///   - device: who is woken.
    ///   - now: the time.
    ///   - secret: what collapse ids are made with.
    ///   - random: draws a key and a nonce.
    package func message(
        _ push: Push, to device: Device, at now: UnixTime, secret: SecretBytes, random: RandomSource
    ) throws(CryptoFault) -> PushMessage? {
        guard let key = device.profile.encryptionKey else { return nil }
        let content: WakeContent
        switch push {
        case .wake:
            let wake = WakeMessage(
                id: id, topic: topic, urgency: .background, deadline: deadline, payload: payload)
            content = .silent(
                try WakeContainer(sealing: wake.plaintext, for: key, random: random), isUrgent: true)
        case .alert: content = .fallback(text)
        }
        let collapse = CollapseID(
            secret: secret, identity: DeviceStatement.identity(of: device.profile.owner), topic: topic.text,
            key: id.text)
        return PushMessage(
            content, about: id, topic, push == .wake && deadline.seconds(since: now) <= Self.usual ? .reply : .alert,
            expires: deadline, collapse: collapse)
    }
}
