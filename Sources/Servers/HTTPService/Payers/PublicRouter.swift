import CoreMetrics
import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import Platform
import ResponderModel

/// The routes of the public listener, and what those of all features share.
package final class PublicRouter {
    let router = Router(context: ServiceContext.self)
    /// Finds the domain that a request is for.
    let hosts: HostSelection
    let settings: ServiceSettings
    /// The limits of the listener, as far as the system allows those that are configured.
    let limits: ServiceLimits
    let admission: Admission
    let metrics: any MetricsFactory
    let clock: WallClock
    let monotonic: MonotonicClock
    /// Whether the service is about to stop.
    let isStopping: @Sendable () -> Bool
    /// Answers a request that no route matches; nil for one that it does not know either.
    typealias Fallback = @Sendable (Request, ServiceContext) async -> Response?
    private var fallbacks: [Fallback] = []

    init(
        hosts: HostSelection, settings: ServiceSettings, limits: ServiceLimits, admission: Admission,
        metrics: any MetricsFactory, clock: @escaping WallClock, monotonic: MonotonicClock,
        isStopping: @escaping @Sendable () -> Bool
    ) {
        self.hosts = hosts
        self.settings = settings
        self.limits = limits
        self.admission = admission
        self.metrics = metrics
        self.clock = clock
        self.monotonic = monotonic
        self.isStopping = isStopping
    }

    func addFallback(_ fallback: @escaping Fallback) {
        fallbacks.append(fallback)
    }

    /// The routes, with an answer to every other request.
    func finished() -> Router<ServiceContext> {
        RobotsRoute(metrics: metrics).add(to: router)
        // Middleware added last sees only requests that no route has matched, and costs the others nothing.
        router.add(
            middleware: PublicFallback(
                fallbacks: fallbacks, methods: Set(router.routes.map(\.method)), metrics: metrics))
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

    private let fallbacks: [PublicRouter.Fallback]
    private let preflight: HTTPFields
    private let instruments: RouteInstruments

    /// - Parameter methods: those of all routes.
    init(fallbacks: [PublicRouter.Fallback], methods: Set<HTTPRequest.Method>, metrics: any MetricsFactory) {
        self.fallbacks = fallbacks
        preflight = PayerHeaders.preflight(methods)
        instruments = RouteInstruments(template: "/*", metrics: metrics)
    }

    func handle(
        _ request: Request,
        context: ServiceContext,
        next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        if request.method == .options { return Response(status: .noContent, headers: preflight) }
        for fallback in fallbacks {
            if let response = await fallback(request, context) { return response }
        }
        let response = await instruments.observe(context.logger) {
            .init(.payerError(PayerFault.unknownPath.reason, status: .notFound), .refused)
        }
        return request.method == .head ? response.createHeadResponse() : response
    }
}
