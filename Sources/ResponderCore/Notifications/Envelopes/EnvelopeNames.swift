public import LightningCoding

/// What the members of an envelope and the types of notifications are called by those who send them.
///
/// As they are made they are those of breez-lnurl, breez/notify and the Boltz backend; a sender with other names is
/// understood by changing some.
public struct EnvelopeNames: Hashable, Sendable {
    /// A webhook's type, first form.
    public var template = "template"
    /// A webhook's type, second form.
    public var event = "event"
    /// A webhook's payload.
    public var data = "data"
    /// A push message's type.
    public var type = "notification_type"
    /// A push message's payload, a JSON text in a string.
    public var payload = "notification_payload"
    /// What the app's own backend adds.
    public var appData = "app_data"
    /// The object in which some senders wrap a push message.
    public var body = "body"
    /// Where a message says how it is recognised when it comes again; the first that is there counts.
    public var messageIDs = ["event_id", "gcm.message_id", "google.message_id"]
    /// Types that are called otherwise: the sender's name, and ours.
    public var types: [ExactText: NotificationType] = [
        "invoice.request": .invoiceRequest, "swap.update": .swapUpdated,
    ]
    /// Members of payloads that are called otherwise: our name, and the sender's.
    public var payloadMembers: [String: String] = [:]

    /// The usual names.
    public init() {}

    func type(named name: String) -> NotificationType {
        types[ExactText(name)] ?? NotificationType(rawValue: name)
    }

    func payloadMember(_ name: String) -> String {
        payloadMembers[name] ?? name
    }
}
