import LightningCoding
import Contracts

/// How a hook is called.
protocol HookTransport: Sendable {
    /// Sends a request and waits for the response; ends early when the task is cancelled.
    func call(
        _ method: HookMethod,
        _ parameters: JSONObject,
        within time: Duration
    ) async throws(BackendFault) -> JSONValue

    /// Cancels pending calls.
    func close()
}

/// The methods of a hook. The raw value is the name on the wire, documented in `Scripts/hook/openapi.yaml`.
enum HookMethod: String, CaseIterable, Sendable {
    case info
    case limits
    case create
    case status
    case cancel
    case settlements
    case offer
    case disableOffer = "disable-offer"
    case advance
    case notification
}
