/// The two formats in which a push message carries something encrypted for a device: version 0 is deployed in Bitkit's
/// apps, version 1 is what its gateway sends now.
public enum WakeFormat: Hashable, Sendable, CaseIterable {
    /// Without acknowledgement.
    case legacy
    /// With an id that the device acknowledges.
    case current

    /// What both sides hash into the key.
    public var purpose: String {
        switch self {
        case .legacy: "bitkit-notifications"
        case .current: "wake-v1"
        }
    }

    /// The length of the nonce in bytes.
    public var nonceCount: Int {
        switch self {
        case .legacy: 16
        case .current: 12
        }
    }
}
