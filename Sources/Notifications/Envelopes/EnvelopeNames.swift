public import LightningCoding

/// Senders' names for the members of envelopes and the types of notifications.
///
/// The defaults are those of breez-lnurl, breez/notify and the Boltz backend; change some for other senders.
public struct EnvelopeNames: Hashable, Sendable {
    /// The type of a webhook, first form.
    public var template = "template"
    /// The type of a webhook, second form.
    public var event = "event"
    /// The payload of a webhook.
    public var data = "data"
    /// The type of a push message.
    public var type = "notification_type"
    /// The payload of a push message, JSON in a string.
    public var payload = "notification_payload"
    /// Data added by the app's own backend.
    public var appData = "app_data"
    /// The object in which some senders wrap a push message.
    public var body = "body"
    /// Where a message has its unique id; the first one present counts.
    public var messageIDs = ["event_id", "gcm.message_id", "google.message_id"]
    /// Renamed types: the sender's name, and ours.
    public var types: [ExactText: NotificationType] = [
        "invoice.request": .invoiceRequest, "swap.update": .swapUpdated,
    ]
    /// Renamed members of payloads: our name, and the sender's.
    public var payloadMembers: [String: String] = [:]

    /// The default names.
    public init() {}

    func type(named name: String) -> NotificationType {
        types[ExactText(name)] ?? NotificationType(rawValue: name)
    }

    func payloadMember(_ name: String) -> String {
        payloadMembers[name] ?? name
    }
}
