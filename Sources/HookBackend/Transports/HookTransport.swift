import LightningCoding
import Contracts

/// How a hook is reached.
protocol HookTransport: Sendable {
    /// Asks, and waits for the answer; ends early when the task is cancelled.
    func call(
        _ method: HookMethod,
        _ parameters: JSONObject,
        within time: Duration
    ) async throws(BackendFault) -> JSONValue

    /// Ends what is under way.
    func close()
}

/// What a hook is asked. The raw value is the name on the wire, explained in `Scripts/hook/openapi.yaml`.
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
}
