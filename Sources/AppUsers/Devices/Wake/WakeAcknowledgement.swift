package import LightningCoding

/// What a device says of a wake: `{"id":"…","outcome":"handled"}`.
package struct WakeAcknowledgement: Hashable, Sendable {
    package let id: WakeID
    package let outcome: Outcome

    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// The app has done what it was woken for: no alert is needed.
        case handled
        /// The app does not know the topic.
        case noHandler = "no_handler"
        /// The app could not do it.
        case failed
    }

    package init(of id: WakeID, _ outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }

    package init(_ members: JSONMembers<DeviceMemberFault>) throws(DeviceMemberFault) {
        id = try members.parsed("id", WakeID.init)
        outcome = try members.parsed("outcome") { Outcome(exactly: $0) }
    }

    package init(_ body: [UInt8]) throws(MessageCenterRefusal) {
        self = try MessageCenter.request(in: body) { members throws(DeviceMemberFault) in try Self(members) }
    }

    package var json: JSONObject { ["id": .string(id.text), "outcome": .string(outcome.rawValue)] }
}
