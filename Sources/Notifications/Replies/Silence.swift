/// Why no reply is posted.
public enum Silence: Hashable, Sendable {
    /// Events of this type expect no reply.
    case notAsked
    /// The type is unknown here.
    case unknownType
    /// The payload cannot be decrypted.
    case undecipherable(DecipherFault)
    /// An error would make the payer give up for good, and the same request may succeed a little later.
    case transient
    /// Even an error would reveal whom the offer belongs to (BOLT 12, "Requirements for Invoice Requests").
    case ignored
    /// The deadline passed.
    case outOfTime
}
