import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import LightningCrypto
import Platform
package import ResponderCore
import ResponderModel

/// Answers payers over LNURL-pay and LNURL-verify.
package struct Payers: ServiceFeature {
    private let responder: Responder

    package init(_ responder: Responder) {
        self.responder = responder
    }

    package func addRoutes(to router: PublicRouter) {
        let routes = PayerRoutes(responder, router)
        router.addFirst { await routes.answer($0, $1) }
        router.addFallback { await routes.refuse($0, $1) }
    }
}

/// The routes of LNURL-pay and LNURL-verify.
///
/// `PayPaths` both parses these paths and writes them into responses. Everything below the prefixes is answered here,
/// so that a wallet always gets a response that it can read.
///
/// A class, since each request's task refers to it: as a structure it would be copied for each, with all that it has.
final class PayerRoutes: Sendable {
    private let responder: Responder
    private let hosts: HostSelection
    private let bodyLimit: Int
    private let infoHeaders: HTTPFields
    private let admission: Admission
    private let ledgerTime: Duration
    /// Nil where nothing may be cached, of the account or of its node.
    private let infos: KeptInfos?

    private let info: RouteInstruments
    private let invoice: RouteInstruments
    private let verify: RouteInstruments
    private let unknown: RouteInstruments

    /// A bare prefix names no account; it gets the same error as any unknown path below it.
    static let prefixes = ["/.well-known/lnurlp", "/lnurlp", "/lnurlpay"]

    init(_ responder: Responder, _ router: PublicRouter) {
        self.responder = responder
        hosts = router.hosts
        admission = router.admission
        ledgerTime = router.settings.ledgerTime
        bodyLimit = router.settings.limits.body
        infoHeaders = JSONHeaders.payer(caching: .maxAge(router.settings.infoMaxAge))
        let isCached = router.settings.infoMaxAge > 0 && responder.settings.limitsLifetime > 0
        infos = isCached ? KeptInfos(clock: router.monotonic) : nil
        let metrics = router.metrics
        info = RouteInstruments(template: "/lnurlp/{name}", metrics: metrics)
        invoice = RouteInstruments(template: "/lnurlpay/{name}/invoice", metrics: metrics)
        verify = RouteInstruments(template: "/lnurlpay/{name}/{payment_hash}", metrics: metrics)
        unknown = RouteInstruments(template: "/lnurlpay/*", metrics: metrics)
    }

    /// Nil for a path of another kind, and for a CORS preflight.
    func answer(_ request: Request, _ context: ServiceContext) async -> Response? {
        let path = request.uri.path
        guard Self.prefixes.contains(where: { path.begins(with: $0) }) else { return nil }
        let key = infoKey(of: path, request, context)
        if let key, request.method == .get, let kept = infos?[key, hosts.accounts.generation] {
            return await info.answer(context.logger) { () async throws(PayerFault) in
                try admit(.info, request, context)
                return kept
            }
        }
        guard request.method != .options, let question = try? PayPaths.question(of: path) else { return nil }
        let answered = await WaitingTime.$current.withValue(WaitingTime(ledgerTime)) {
            await response(to: question, request, context, keptAs: key)
        }
        return request.method == .head ? answered.createHeadResponse() : answered
    }

    /// Nil below `/lnurlpay`, where nothing is kept, and where the request names no host, or several.
    private func infoKey(of path: String, _ request: Request, _ context: ServiceContext) -> KeptInfos.Key? {
        guard infos != nil, !path.begins(with: "/lnurlpay"), let host = try? hosts.host(of: request, context) else {
            return nil
        }
        return KeptInfos.Key(host: host, path: path)
    }

    /// Tells what is wrong with a path below the prefixes; nil for any other.
    func refuse(_ request: Request, _ context: ServiceContext) async -> Response? {
        let path = request.uri.path
        // A URL that ends with a slash, and a path behind it.
        let below = "/" + Substring(path.utf8.drop { $0 == UInt8(ascii: "/") })
        guard Self.prefixes.contains(where: { below.isExactly($0) || below.begins(with: $0 + "/") }) else { return nil }
        let fault: PayerFault
        do {
            _ = try PayPaths.question(of: path)
            return nil
        } catch {
            fault = PayerFault(error)
        }
        let response = await unknown.observe(context.logger) { .init(fault: fault) }
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func response(
        to question: PayPaths.Question, _ request: Request, _ context: ServiceContext, keptAs key: KeptInfos.Key?
    ) async -> Response {
        switch question {
        case .info(let recipient):
            return await info.answer(context.logger) { () async throws(PayerFault) in
                try request.require([.get, .head])
                return try await payRequest(for: recipient, request, context, keptAs: key)
            }
        case .invoice(let recipient, let token):
            return await invoice.answer(context.logger) { () async throws(PayerFault) in
                try request.require([.get, .head, .post])
                return try await payInvoice(for: recipient, token, request, context)
            }
        case .verify(let paymentHash, let recipient, let token):
            return await verify.answer(context.logger) { () async throws(PayerFault) in
                try request.require([.get, .head])
                return try await verification(of: paymentHash, for: recipient, token, request, context)
            }
        }
    }

    /// The payRequest (LUD-06). With a challenge in it, the response is for one payer only.
    private func payRequest(
        for named: PayPaths.Recipient, _ request: Request, _ context: ServiceContext, keptAs key: KeptInfos.Key?
    ) async throws(PayerFault) -> Response {
        try admit(.info, request, context)
        let generation = hosts.accounts.generation
        let recipient = try await recipient(named, of: request, context)
        guard request.method != .head || !recipient.kind.isRegistered else { return Self.unasked }
        let answer = try await awaiting(
            await recipient.payRequest(for: payer(of: request, context)), as: PayerFault.refusal
        ).request
        guard answer.payerData?.k1 == nil else { return .json(answer.json, headers: PayerHeaders.noStore) }
        let response = Response.json(answer.json, headers: infoHeaders)
        if let key, recipient.kind == .account { infos?.keep(response, for: key, at: generation) }
        return response
    }

    /// An invoice (LUD-06), requested with a query or a JSON body (LUD-26). It counts for its account unless it was refused for
    /// the payer's mistake.
    private func payInvoice(
        for named: PayPaths.Recipient, _ token: PayToken?, _ request: Request, _ context: ServiceContext
    ) async throws(PayerFault) -> Response {
        // The response to HEAD would not carry the invoice.
        guard request.method != .head else { return Self.unasked }
        try admit(.invoice, request, context)
        let query = try await callbackQuery(of: request, context)
        let recipient = try await recipient(named, of: request, context)
        guard recipient.kind != .unknown else { throw .refusal(.unknownAccount) }
        let account = recipient.account
        if let account, let seconds = await admission.wait(for: account, by: .anybody) {
            throw .tooOften(retryAfter: seconds)
        }
        do throws(Refusal) {
            let answer = try await recipient.payInvoice(query, token: token, for: payer(of: request, context))
            return .json(answer.invoice.json, headers: PayerHeaders.noStore)
        } catch {
            if let account, error.isClientError { await admission.forgive(account) }
            throw .refusal(error)
        }
    }

    /// Whether an invoice has been paid (LUD-21). Once the preimage is told, the response never changes.
    private func verification(
        of paymentHash: PaymentHash, for named: PayPaths.Recipient, _ token: PayToken?, _ request: Request,
        _ context: ServiceContext
    ) async throws(PayerFault) -> Response {
        try admit(.verify, request, context)
        let recipient = try await recipient(named, of: request, context)
        guard request.method != .head || !recipient.kind.isRegistered else { return Self.unasked }
        let answer = try await awaiting(
            await recipient.verify(paymentHash, token: token, for: payer(of: request, context)),
            as: PayerFault.refusal)
        return .json(answer.json, headers: answer.preimage == nil ? PayerHeaders.noStore : PayerHeaders.forever)
    }

    /// What HEAD gets where an answer costs something: no invoice is made, and no phone is woken.
    private static var unasked: Response { .json([:], headers: PayerHeaders.noStore) }

    private func admit(
        _ purpose: Admission.Purpose, _ request: Request, _ context: ServiceContext
    ) throws(PayerFault) {
        if let seconds = admission.wait(for: purpose, request, context) { throw .tooOften(retryAfter: seconds) }
    }

    /// Who answers for a recipient at the host of the request. What could only be asked of a device counts as that, whether or
    /// not there is one.
    private func recipient(
        _ named: PayPaths.Recipient, of request: Request, _ context: ServiceContext
    ) async throws(PayerFault) -> any PayResponder {
        let reached = try await awaiting(await hosts.domain(of: request, context), as: PayerFault.host)
        guard let recipient = reached.recipient(named) else { throw .refusal(.unknownAccount) }
        if let account = try await awaiting(
            await Refusal.asking(await responder.accountResponder(for: recipient)), as: PayerFault.refusal)
        {
            return account
        }
        // Before anybody looks for the registration, which costs a look at the ledger each time.
        try admit(.device, request, context)
        return try await awaiting(
            await Refusal.asking(await responder.payResponder(withoutAccount: recipient)), as: PayerFault.refusal)
    }

    private func payer(of request: Request, _ context: ServiceContext) -> Payer {
        Payer(from: admission.network(of: request, context), over: context.payer)
    }

    /// What a payer sends with a query or a body.
    private func callbackQuery(
        of request: Request, _ context: ServiceContext
    ) async throws(PayerFault) -> CallbackQuery {
        let items = try rethrowing(request.uri.items(), as: PayerFault.malformedQuery)
        do {
            guard request.method == .post else { return try CallbackQuery(items: items) }
            let network = admission.network(of: request, context)
            return try CallbackQuery(items: items, body: try await request.json(limit: bodyLimit, from: network))
        } catch let fault as CallbackFault {
            throw .callback(fault)
        } catch let fault as BodyFault {
            throw .body(fault)
        } catch {
            throw .body(.incomplete)
        }
    }
}

extension PayerFault {
    fileprivate init(_ fault: PayPaths.Fault) {
        switch fault {
        case .unknownPath: self = .unknownPath
        case .recipient: self = .refusal(.unknownAccount)
        case .callbackToken: self = .refusal(.unknownVersion)
        case .paymentHash, .verifyToken: self = .refusal(.unknownInvoice)
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
