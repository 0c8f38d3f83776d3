import CoreMetrics
import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import Platform

/// The routes of the public listener, and what those of all features share.
package struct PublicRouter {
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
    /// Answers a request before the router looks at its path, which takes longer than most answers; nil for one that it does not
    /// know.
    private let first = Guarded<[@Sendable (Request, ServiceContext) async -> Response?]>([])
    /// Answers a request that no route matches; nil for one that it does not know either.
    private let fallbacks = Guarded<[@Sendable (Request, ServiceContext) async -> Response?]>([])

    func addFirst(_ answer: @escaping @Sendable (Request, ServiceContext) async -> Response?) {
        first.withLock { $0.append(answer) }
    }

    func addFallback(_ fallback: @escaping @Sendable (Request, ServiceContext) async -> Response?) {
        fallbacks.withLock { $0.append(fallback) }
    }

    /// An answer to every request.
    func finished() -> CallbackResponder<ServiceContext> {
        // There is nothing to index. As a constant text it is also the baseline for measuring the other routes.
        let robots = RouteInstruments(template: "/robots.txt", metrics: metrics)
        router.get("/robots.txt") { _, context in
            await robots.observe(context.logger) { .init(.text("User-agent: *\nDisallow: /\n")) }
        }
        let preflight = PayerHeaders.preflight(Set(router.routes.map(\.method)))
        let unknown = RouteInstruments(template: "/*", metrics: metrics)
        router.add(
            middleware: Fallback { [fallbacks = fallbacks.withLock { $0 }] request, context in
                if request.method == .options { return Response(status: .noContent, headers: preflight) }
                for fallback in fallbacks {
                    if let response = await fallback(request, context) { return response }
                }
                // In a form that a wallet can show.
                let response = await unknown.observe(context.logger) {
                    .init(.payerError(PayerFault.unknownPath.reason, status: .notFound), .refused)
                }
                return request.method == .head ? response.createHeadResponse() : response
            })
        return CallbackResponder { [first = first.withLock { $0 }, routes = router.buildResponder()] request, context in
            for answer in first {
                if let response = await answer(request, context) { return response }
            }
            return try await routes.respond(to: request, context: context)
        }
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

/// Answers requests that no route matches: middleware added last sees only these, and costs the others nothing.
struct Fallback: RouterMiddleware {
    let answer: @Sendable (Request, ServiceContext) async -> Response

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        await answer(request, context)
    }
}
