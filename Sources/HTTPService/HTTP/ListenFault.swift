public import LightningCoding

/// Why a listener did not open.
public struct ListenFault: Error, Hashable, Sendable {
    /// Where it was to listen.
    public let address: ListenAddress
    /// The system's error number: taken, not allowed, no address of this machine.
    public let code: Int32
}
