import CoreMetrics
import HTTPTypes
import Hummingbird
import LightningCoding

/// Everything that the operator may ask. All but health, metrics and the description of the interface needs the token.
package struct AdminRouter {
    let token: BearerToken
    let clock: WallClock
    let metrics: any MetricsFactory
    let router = Router(context: ServiceContext.self)

    func add(
        _ method: HTTPRequest.Method,
        _ template: String,
        _ work: @escaping @Sendable (Request, ServiceContext) async throws(AdminFault) -> JSONValue
    ) {
        let instruments = RouteInstruments(template: template, metrics: metrics)
        route(method, template) { [token] request, context in
            await instruments.observe(context.logger) {
                await .init { () async throws(AdminFault) in
                    guard token.isNamed(by: request.headers[.authorization]) else { throw .unauthorized }
                    return try await work(request, context)
                }
            }
        }
    }

    /// Adds a route that needs no token.
    func addOpen(_ template: String, _ work: @escaping @Sendable () async -> Response) {
        let instruments = RouteInstruments(template: template, metrics: metrics)
        route(.get, template) { _, context in
            await instruments.observe(context.logger) { .init(await work()) }
        }
    }

    /// Every GET route answers HEAD too.
    private func route(
        _ method: HTTPRequest.Method,
        _ template: String,
        _ respond: @escaping @Sendable (Request, ServiceContext) async -> Response
    ) {
        router.on(RouterPath(template), method: method) { await respond($0, $1) }
        guard method == .get else { return }
        router.on(RouterPath(template), method: .head) { await respond($0, $1).createHeadResponse() }
    }

    /// The routes, with a fallback for everything else.
    func finished() -> Router<ServiceContext> {
        router.add(middleware: Fallback { _, _ in AdminFault.notFound("no route has this path and method").response })
        return router
    }

    /// The response to bytes that are not an HTTP request.
    static func unreadable(counting counter: Counter) -> UnreadableAnswer {
        let fault = AdminFault.badRequest("the request is malformed or too large")
        return UnreadableAnswer(fault.json, status: fault.status, headers: JSONHeaders.admin, counter: counter)
    }
}

extension ServiceContext {
    func parameter(_ name: String) throws(AdminFault) -> String {
        try rethrowing(
            PercentEncoding.decode(parameters.get(name) ?? "", plusIsSpace: false),
            as: AdminFault.badRequest("the path is malformed"))
    }
}

extension Request {
    /// The body that an operator sends, as JSON.
    func document(limit: Int) async throws(AdminFault) -> JSONValue {
        try await awaiting(await json(limit: limit, in: BodyBlocks.ofOperators)) { (fault: BodyFault) in
            AdminFault(fault)
        }
    }
}
