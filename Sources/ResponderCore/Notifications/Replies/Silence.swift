/// Why nothing is posted.
public enum Silence: Hashable, Sendable {
    /// Nobody waits for an answer to such an event.
    case notAsked
    /// Nobody here knows the type.
    case unknownType
    /// The payload is encrypted and stays so.
    case undecipherable(DecipherFault)
    /// An error would end the payer's attempt for good, and the same request may be answered a little later.
    case transient
    /// Even an error would tell whom the offer belongs to (BOLT 12, "Requirements for Invoice Requests").
    case ignored
    /// The time was up.
    case outOfTime
}
