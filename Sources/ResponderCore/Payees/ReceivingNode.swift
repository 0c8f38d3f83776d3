import Contracts

/// A node that receives for accounts, as it was known when a request began.
struct ReceivingNode: Sendable {
    /// The name under which it is configured.
    let name: BackendName
    let backend: any ReceiveBackend
    let info: NodeInfo
    let capabilities: BackendCapabilities
}
