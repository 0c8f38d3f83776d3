import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import Logging
import NIOCore
import Platform
import ResponderModel

/// Accepts payment events from nodes: `POST /backend/{name}/events`.
///
/// Each node has its own signature scheme. Before the signature is checked, only a body of bounded length is read;
/// without a valid one the caller learns nothing.
struct BackendEventRoute: Sendable {
    private let sources: [BackendName: any WebhookSource]
    private let admission: Admission
    private let instruments: RouteInstruments
    private let refused: Counter
    /// Refusals are logged once a minute per node.
    private let notices = RepeatedLines<BackendName>()

    private static let template = "/backend/{name}/events"

    init(backends: [BackendName: any ReceiveBackend], admission: Admission, metrics: any MetricsFactory) {
        self.admission = admission
        sources = backends.compactMapValues(\.webhooks)
        instruments = RouteInstruments(template: Self.template, metrics: metrics)
        refused = Counter(label: "responder_backend_events_refused_total", factory: metrics)
    }

    func add(to router: Router<ServiceContext>) {
        guard !sources.isEmpty else { return }
        router.post(RouterPath(Self.template)) { request, context in
            await instruments.observe(context.logger) {
                do throws(EventRefusal) {
                    try await take(request, context)
                    return .init(.json([:], headers: JSONHeaders.admin))
                } catch {
                    return .init(error.response, .refused)
                }
            }
        }
    }

    private func take(_ request: Request, _ context: ServiceContext) async throws(EventRefusal) {
        guard let text = context.parameters.get("name"), let name = BackendName(text), let source = sources[name]
        else { throw .unknown }
        let call = BackendWebhook(
            headers: request.headers.map { (name: $0.name.rawName, value: $0.value) },
            body: try await body(of: request, context, limit: source.bodyLimit)
        )
        do throws(WebhookFault) {
            try await source.receive(call)
        } catch {
            refused.increment()
            // Anyone can send any number of forged events.
            notices.note(name) { [logger = context.logger] times in
                logger.warning(
                    "node event refused",
                    metadata: ["backend": "\(name)", "cause": "\(error.reason)"].repeated(times))
            }
            throw .fault(error)
        }
    }

    private func body(
        of request: Request, _ context: ServiceContext, limit: Int
    ) async throws(EventRefusal) -> [UInt8] {
        let network = admission.network(of: request, context)
        return try await awaiting(await request.bytes(limit: limit, from: network), as: EventRefusal.body)
    }
}

enum EventRefusal: Error, Hashable, Sendable {
    case unknown
    /// The body could not be read.
    case body(BodyFault)
    case fault(WebhookFault)

    fileprivate var response: Response {
        switch self {
        case .unknown: .payerError(PayerFault.unknownPath.reason, status: .notFound)
        case .body(.tooLarge): .error("the body is too large", .contentTooLarge)
        case .body(.crowded): .error("too many requests with a body at once; try again", .serviceUnavailable)
        case .body: .error("the body is incomplete", .badRequest)
        case .fault(.forged): .error("the signature is missing or wrong", .unauthorized)
        case .fault(.stale): .error("the signature is too old", .unauthorized)
        case .fault(.malformed): .error("the event is malformed", .badRequest)
        }
    }
}
