import LightningCoding

struct Command: Sendable {
    /// The method: `getinfo`.
    let method: String
    var parameters = JSONObject()
    /// The requested members of the response (`filter` beside the parameters); nil for all. Only the socket supports
    /// it, so all members may be present nevertheless.
    var filter: JSONValue?
    var timeout: Duration
    /// Whether the node responds only when something happens, so that a late response says nothing about its health.
    var waitsForEvent = false
}

/// A way to the node.
protocol CommandTransport: Sendable {
    /// Sends a command and waits for the result.
    ///
    /// Ends at once when the task is canceled; the node may still execute the command.
    func call(_ command: Command) async throws(CommandFault) -> JSONValue
}

extension Command {
    private static let idPrefix = "responder:"

    /// The request as lightningd reads it (JSON-RPC 2.0). Text is raw UTF-8: lightningd does not support `\u` escapes.
    func request(_ number: UInt64) -> [UInt8] {
        var request: JSONObject = [
            "jsonrpc": "2.0",
            "id": .string(Self.idPrefix + String(number)),
            "method": .string(method),
            "params": .object(parameters),
        ]
        request["filter"] = filter
        return JSONValue.object(request).serializedBytes()
    }

    /// The number of the request with this response id; nil when the id is not ours.
    static func number(ofAnswer id: JSONValue) -> UInt64? {
        guard let text = id.string, text.begins(with: idPrefix) else { return nil }
        return UInt64(text.dropFirst(idPrefix.count))
    }
}
