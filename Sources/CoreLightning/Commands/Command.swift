import LightningCoding

/// A call of the node's JSON-RPC interface.
struct Command: Sendable {
    /// The method: `getinfo`.
    let method: String
    /// Its parameters by name.
    var parameters = JSONObject()
    /// The requested members of the response (`filter` beside the parameters); nil for all. Only the socket supports
    /// it, so all members may be present nevertheless.
    var filter: JSONValue?
    /// The timeout of the response.
    var timeout: Duration
    /// Whether the node responds only when something happens, so that a late response says nothing about its health.
    var waitsForEvent = false
}

/// A connection to the node that carries many commands at once.
protocol CommandTransport: Sendable {
    /// Sends a command and waits for the result.
    ///
    /// Ends at once when the task is cancelled; the node may still execute the command.
    func call(_ command: Command) async throws(CommandFault) -> JSONValue

    /// Closes the connections; every command in flight ends.
    func close() async
}
