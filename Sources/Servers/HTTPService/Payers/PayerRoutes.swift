import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import Platform
import Registrations
import ResponderCore
import ResponderModel

/// The routes of LNURL-pay and LNURL-verify.
///
/// `PayPaths` both parses these paths and writes them into responses. Everything below the prefixes is answered here,
/// so that a wallet always gets a response that it can read.
///
/// A class, since each request's task refers to it: as a structure it would be copied for each, with all that it has.
final class PayerRoutes: Sendable {
    let responder: any PayResponder
    let hosts: HostSelection
    let bodyLimit: Int
    let infoHeaders: HTTPFields
    let admission: Admission
    private let ledgerTime: Duration

    let gateway: GatewayRoutes?
    let info: RouteInstruments
    let invoice: RouteInstruments
    let verify: RouteInstruments
    private let unknown: RouteInstruments

    /// A bare prefix names no account; it gets the same error as any unknown path below it.
    private static let prefixes = ["/.well-known/lnurlp", "/lnurlp", "/lnurlpay"]

    /// - Parameter gateway: nil when there are no app users.
    init(
        responder: any PayResponder, hosts: HostSelection, settings: ServiceSettings, admission: Admission,
        gateway: GatewayRoutes?, metrics: any MetricsFactory
    ) {
        self.gateway = gateway
        self.responder = responder
        self.hosts = hosts
        self.admission = admission
        ledgerTime = settings.ledgerTime
        bodyLimit = settings.limits.body
        infoHeaders = JSONHeaders.payer(caching: .maxAge(settings.infoMaxAge))
        info = RouteInstruments(template: "/lnurlp/{name}", metrics: metrics)
        invoice = RouteInstruments(template: "/lnurlpay/{name}/invoice", metrics: metrics)
        verify = RouteInstruments(template: "/lnurlpay/{name}/{payment_hash}", metrics: metrics)
        unknown = RouteInstruments(template: "/lnurlpay/*", metrics: metrics)
    }

    func add(to router: Router<ServiceContext>) {
        for path in Self.prefixes.flatMap({ [$0, $0 + "/**"] }) {
            for method in [HTTPRequest.Method.get, .head, .post] {
                router.on(RouterPath(path), method: method) { [self] request, context in
                    let response = await answer(request, context)
                    return request.method == .head ? response.createHeadResponse() : response
                }
            }
        }
        if gateway != nil { addGateway(to: router) }
    }

    /// Whether wallets register here.
    var registers: Bool { gateway != nil }

    /// Whether a path is answered here: the router knows it, but not for every method.
    func answers(_ path: String) -> Bool {
        Self.prefixes.contains { path.isExactly($0) || path.begins(with: $0 + "/") }
    }

    /// Who is asked for: a name at the host of the request.
    func recipient(
        _ localPart: LocalPart, of request: Request, _ context: ServiceContext
    ) async throws(PayerFault) -> Recipient {
        let reached = try await awaiting(await hosts.domain(of: request, context), as: PayerFault.host)
        guard let recipient = reached.recipient(localPart) else { throw .refusal(.unknownAccount) }
        return recipient
    }

    /// Who answers for app users; nil when there are none.
    var answerer: DeviceResponder? { gateway?.gateway.answerer }

    /// Answers a request within the time that a payer has for the ledger.
    func answer(_ request: Request, _ context: ServiceContext) async -> Response {
        await WaitingTime.$current.withValue(WaitingTime(ledgerTime)) { await response(to: request, context) }
    }

    private func response(to request: Request, _ context: ServiceContext) async -> Response {
        if let gateway, let response = await gatewayResponse(gateway, of: request, context) { return response }
        let question: PayPaths.Question
        do {
            question = try PayPaths.question(of: request.uri.path)
        } catch {
            return await unknown.observe(context.logger) { .init(fault: PayerFault(error)) }
        }
        switch question {
        case .info(let recipient):
            return await info.answer(context.logger) { () async throws(PayerFault) in
                try request.require([.get, .head])
                return try await payRequest(for: recipient, request, context)
            }
        case .invoice(let recipient, let version):
            return await invoice.answer(context.logger) { () async throws(PayerFault) in
                try request.require([.get, .head, .post])
                return try await payInvoice(for: recipient, version: version, request, context)
            }
        case .verify(let paymentHash, let name, let createdAt):
            return await verify.answer(context.logger) { () async throws(PayerFault) in
                try request.require([.get, .head])
                return try await verification(of: paymentHash, for: name, createdAt, request, context)
            }
        }
    }
}

extension PayerFault {
    /// The fault of a path below our prefixes.
    fileprivate init(_ fault: PayPaths.Fault) {
        switch fault {
        case .unknownPath: self = .unknownPath
        case .recipient: self = .refusal(.unknownAccount)
        case .version: self = .refusal(.unknownVersion)
        case .paymentHash, .time: self = .refusal(.unknownInvoice)
        }
    }
}

extension Request {
    fileprivate func require(_ methods: [HTTPRequest.Method]) throws(PayerFault) {
        guard methods.contains(method) else {
            throw .wrongMethod(allowed: methods.map(\.rawValue).joined(separator: ", "))
        }
    }
}
