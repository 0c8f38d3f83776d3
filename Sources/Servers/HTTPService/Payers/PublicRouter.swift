import CoreMetrics
import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import ResponderModel

enum PublicRouter {
    /// - Parameters:
    ///   - notifications: nil when notifications are disabled.
    ///   - gateway: nil when there are no app users.
    ///   - pushes: nil when no provider of push messages is configured.
    ///   - devices: nil likewise.
    ///   - stream: what devices are told as it happens, with its pages; nil likewise.
    ///   - hints: nil when nobody may ask about forwarded payments.
    static func router(
        responder: any PayResponder,
        hosts: HostSelection,
        settings: ServiceSettings,
        notifications: NotificationRoutes?,
        gateway: GatewayRoutes? = nil,
        pushes: PushRoutes? = nil,
        devices: DeviceRoutes? = nil,
        stream: StreamRoute? = nil,
        hints: ForwardingHintRoute? = nil,
        admission: Admission,
        backends: [BackendName: any ReceiveBackend] = [:],
        metrics: any MetricsFactory
    ) -> Router<ServiceContext> {
        let router = Router(context: ServiceContext.self)
        let payers = PayerRoutes(
            responder: responder, hosts: hosts, settings: settings, admission: admission, gateway: gateway,
            metrics: metrics)
        payers.add(to: router)
        notifications?.add(to: router)
        pushes?.add(to: router)
        devices?.add(to: router)
        stream?.pages.add(to: router)
        stream?.add(to: router)
        hints?.add(to: router)
        BackendEventRoute(backends: backends, metrics: metrics).add(to: router)
        RobotsRoute(metrics: metrics).add(to: router)
        // Middleware added last sees only requests that no route has matched, and costs the others nothing.
        router.add(middleware: PublicFallback(payers: payers, hasDevices: devices != nil, metrics: metrics))
        return router
    }

    /// The ERROR for bytes that are not an HTTP request: most clients here are wallets, so it has status 200 (LUD-01).
    static func unreadable(counting counter: Counter) -> UnreadableAnswer {
        UnreadableAnswer(
            ErrorResponse(reason: "The request is malformed or too large").json,
            status: .ok,
            headers: PayerHeaders.noStore,
            counter: counter
        )
    }
}

/// Tells crawlers that there is nothing to index. As a constant text it is also the baseline for measuring the other
/// routes.
struct RobotsRoute: Sendable {
    private let instruments: RouteInstruments

    init(metrics: any MetricsFactory) {
        instruments = RouteInstruments(template: "/robots.txt", metrics: metrics)
    }

    func add(to router: Router<ServiceContext>) {
        router.get("/robots.txt") { _, context in
            await instruments.observe(context.logger) { .init(.text("User-agent: *\nDisallow: /\n")) }
        }
    }
}

/// Answers requests that match no route, in a form that a wallet can show.
struct PublicFallback: RouterMiddleware {
    typealias Context = ServiceContext

    private let payers: PayerRoutes
    private let preflight: HTTPFields
    private let instruments: RouteInstruments

    /// - Parameters:
    ///   - payers: what wallets get when no route matches.
    ///   - hasDevices: whether devices ask here.
    ///   - metrics: counts the requests.
    init(payers: PayerRoutes, hasDevices: Bool, metrics: any MetricsFactory) {
        self.payers = payers
        preflight = PayerHeaders.preflight(registers: payers.registers, hasDevices: hasDevices)
        instruments = RouteInstruments(template: "/*", metrics: metrics)
    }

    func handle(
        _ request: Request,
        context: ServiceContext,
        next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        if request.method == .options { return Response(status: .noContent, headers: preflight) }
        if payers.answers(request.uri.path) { return await payers.answer(request, context) }
        let response = await instruments.observe(context.logger) {
            .init(.payerError(PayerFault.unknownPath.reason, status: .notFound), .refused)
        }
        return request.method == .head ? response.createHeadResponse() : response
    }
}
