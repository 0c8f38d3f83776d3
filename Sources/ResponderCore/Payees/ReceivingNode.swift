import Contracts

/// A node that receives for accounts, as of the start of a request.
struct ReceivingNode: Sendable {
    /// The name under which it is configured.
    let name: BackendName
    let backend: any ReceiveBackend
    let info: NodeInfo
    let capabilities: BackendCapabilities
}
