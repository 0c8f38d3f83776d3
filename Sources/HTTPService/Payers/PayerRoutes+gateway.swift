import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import LightningCrypto
import Registrations
import ResponderCore

extension PayerRoutes {
    /// The paths of wallets and devices below prefixes of their own, and the method that payers do not use.
    func addGateway(to router: Router<ServiceContext>) {
        let paths: [(String, [HTTPRequest.Method])] = [
            ("/lnurlpay/**", [.delete]), ("/bolt12offer/**", [.post, .delete]), ("/response/**", [.post]),
        ]
        for (path, methods) in paths {
            for method in methods {
                router.on(RouterPath(path), method: method) { request, context in await respond(to: request, context) }
            }
        }
    }

    /// The response to a wallet, a device, or a payer who knows a wallet by its key; nil for any other request.
    func respondAsGateway(
        _ routes: GatewayRoutes, to request: Request, _ context: ServiceContext
    ) async -> Response? {
        guard let path = RegistrationPath(request.uri.path) else { return nil }
        let isRead = request.method == .get || request.method == .head
        switch path {
        case .response(let id): return request.method == .post ? await routes.reply(to: id, request, context) : nil
        case .info(let key) where isRead:
            return await info.observe(context.logger) {
                await .init { () async throws(PayerFault) in
                    try admit(.info, request, context)
                    let answer = try await device(routes, key, request, context) { device async throws(Refusal) in
                        try await routes.gateway.answerer.payRequest(to: device)
                    }
                    return PayerAnswer(answer.json, headers: infoHeaders)
                }
            }
        case .invoice(let key, let mark) where isRead || request.method == .post:
            return await invoice.observe(context.logger) {
                await .init { () async throws(PayerFault) in
                    guard request.method != .head else { return PayerAnswer([:], headers: PayerHeaders.noStore) }
                    try admit(.invoice, request, context)
                    let version = try mark.map { text throws(PayerFault) in
                        try rethrowing(PayPaths.version(text), as: PayerFault.refusal(.unknownVersion))
                    }
                    let query = try await callbackQuery(of: request)
                    let answer = try await device(routes, key, request, context) { device async throws(Refusal) in
                        try await routes.gateway.answerer.payInvoice(from: device, version: version, query: query)
                    }
                    return PayerAnswer(answer.json, headers: PayerHeaders.noStore)
                }
            }
        case .verify(let key, let text) where isRead:
            return await verify.observe(context.logger) {
                await .init { () async throws(PayerFault) in
                    try admit(.verify, request, context)
                    guard let hash = try? PaymentHash(hexadecimal: text) else { throw .refusal(.unknownInvoice) }
                    let answer = try await device(routes, key, request, context) { device async throws(Refusal) in
                        try await routes.gateway.answerer.verify(hash, at: device)
                    }
                    return PayerAnswer(
                        answer.json, headers: answer.settled ? PayerHeaders.forever : PayerHeaders.noStore)
                }
            }
        default:
            guard request.method == .post || request.method == .delete || path.isOpen else { return nil }
            return await routes.answer(path, request, context) { () async throws(LedgerFault) in
                do throws(HostFault) {
                    return try await hosts.domain(of: request, context).domain
                } catch .ledger(let fault) {
                    throw fault
                } catch {
                    return nil
                }
            }
        }
    }

    private func admit(
        _ purpose: Admission.Purpose, _ request: Request, _ context: ServiceContext
    ) throws(PayerFault) {
        if let seconds = admission.wait(for: purpose, request, context) { throw .tooOften(retryAfter: seconds) }
    }

    private func device<Value>(
        _ routes: GatewayRoutes, _ key: String, _ request: Request, _ context: ServiceContext,
        _ ask: (DeviceAnswerer.Device) async throws(Refusal) -> Value
    ) async throws(PayerFault) -> Value {
        guard let key = try? PublicKey(hexadecimal: key) else { throw .refusal(.unknownAccount) }
        let reached = try await awaiting(await hosts.domain(of: request, context), as: PayerFault.host)
        let id = RegistrationID(key, at: reached.domain.name)
        do throws(Refusal) {
            return try await ask(try await routes.gateway.answerer.device(id))
        } catch {
            throw .refusal(error)
        }
    }
}

extension RegistrationPath {
    /// Whether it is read without a statement.
    fileprivate var isOpen: Bool {
        if case .availableName = self { true } else { false }
    }
}
