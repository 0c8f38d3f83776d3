import LightningCoding

/// One call of the node's JSON-RPC interface.
struct Command: Sendable {
    /// The method: `getinfo`.
    let method: String
    /// Its parameters by name.
    var parameters = JSONObject()
    /// Which members the answer shall have (`filter` beside the parameters); nil for all. Only the socket passes it on, so that
    /// an answer may have all members nevertheless.
    var filter: JSONValue?
    /// How long the answer may take.
    var timeout: Duration
    /// Whether the node keeps the answer back until something happens, so that a late one says nothing about the node's health.
    var waitsForEvent = false
}

/// A way to the node over which commands go, many at once.
protocol CommandTransport: Sendable {
    /// Sends a command and waits for the node's result.
    ///
    /// Ends at once when the task is cancelled; the node may still carry the command out.
    func call(_ command: Command) async throws(CommandFault) -> JSONValue

    /// Lets go of the connections; every command in flight ends.
    func close() async
}
