import LightningCoding
import ResponderModel

protocol HookTransport: Sendable {
    /// Sends a request and waits for the response; ends early when the task is canceled.
    ///
    /// - Throws: why there is no response of the hook.
    func call(
        _ method: HookMethod,
        _ parameters: JSONObject,
        within time: Duration
    ) async throws(BackendFault) -> HookResponse

    func close()
}

enum HookResponse: Hashable, Sendable {
    case result(JSONValue)
    /// `{"code":"duplicate","message":"…"}`.
    case error(JSONValue)

    /// The result.
    ///
    /// - Throws: the hook's error.
    var result: JSONValue {
        get throws(BackendFault) {
            switch self {
            case .result(let value): return value
            case .error(let error): throw BackendFault(hookError: error)
            }
        }
    }
}

/// The methods of a hook. The raw value is the name on the wire, documented in `docs/hook-api.yaml`.
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
