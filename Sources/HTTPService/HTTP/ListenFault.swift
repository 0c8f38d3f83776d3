public import LightningCoding

/// Why a listener did not open.
public struct ListenFault: Error, Hashable, Sendable {
    /// The address it was to listen on.
    public let address: ListenAddress
    /// The system's error number: in use, not permitted, not a local address.
    public let code: Int32
}
