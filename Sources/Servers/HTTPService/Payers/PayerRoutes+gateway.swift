import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import LightningCrypto
import Registrations
import ResponderCore
import ResponderModel

extension PayerRoutes {
    /// The paths of wallets and devices below prefixes of their own, and the method that payers do not use.
    func addGateway(to router: Router<ServiceContext>) {
        let paths: [(String, [HTTPRequest.Method])] = [
            ("/lnurlpay/**", [.delete]), ("/bolt12offer/**", [.post, .delete]), ("/response/**", [.post]),
        ]
        for (path, methods) in paths {
            for method in methods {
                router.on(RouterPath(path), method: method) { [self] request, context in
                    await answer(request, context)
                }
            }
        }
    }

    /// The response to a wallet, a device, or a payer who knows a wallet by its key; nil for any other request.
    func gatewayResponse(
        _ routes: GatewayRoutes, of request: Request, _ context: ServiceContext
    ) async -> Response? {
        guard let path = RegistrationPath(request.uri.path) else { return nil }
        let isRead = request.method == .get || request.method == .head
        switch path {
        case .response(let id):
            return request.method == .post ? await routes.reply(to: id, request, context) : nil
        case .info(let key) where isRead:
            return await info.answer(context.logger) { () async throws(PayerFault) in
                try admit(.info, request, context)
                let device = try await device(routes, key, request, context)
                guard request.method != .head else { return Self.unasked }
                return try await payRequest(
                    of: device, by: routes.gateway.answerer, for: payer(of: request, context))
            }
        case .invoice(let key, let mark) where isRead || request.method == .post:
            return await invoice.answer(context.logger) { () async throws(PayerFault) in
                guard request.method != .head else { return Self.unasked }
                try admit(.invoice, request, context)
                let version = try mark.map { text throws(PayerFault) in
                    try rethrowing(PayPaths.version(text), as: PayerFault.refusal(.unknownVersion))
                }
                let query = try await callbackQuery(of: request)
                let device = try await device(routes, key, request, context)
                return try await payInvoice(
                    of: device, by: routes.gateway.answerer, version: version, query: query,
                    for: payer(of: request, context))
            }
        case .verify(let key, let mark, let text) where isRead:
            return await verify.answer(context.logger) { () async throws(PayerFault) in
                try admit(.verify, request, context)
                guard let hash = try? PaymentHash(hexadecimal: text) else { throw .refusal(.unknownInvoice) }
                let device = try await device(routes, key, request, context)
                guard request.method != .head else { return Self.unasked }
                let mark = mark.flatMap { UInt64(digits: $0) }
                return try await verification(
                    of: hash, marked: mark, at: device, by: routes.gateway.answerer, for: payer(of: request, context))
            }
        default:
            guard request.method == .post || request.method == .delete else { return nil }
            return await routes.answer(path, request, context) { () async throws(LedgerFault) in
                do throws(HostFault) {
                    return try await hosts.domain(of: request, context)
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

    /// The device of a name that is no account's, for a question that counts: only a device could answer it. nil for an
    /// account.
    func device(
        of name: AccountID, by answerer: DeviceResponder, _ request: Request, _ context: ServiceContext
    ) async throws(PayerFault) -> DeviceResponder.Device? {
        let account = try await awaiting(await hosts.accounts.account(named: name)) {
            PayerFault.refusal(.unavailable(.ledger($0)))
        }
        guard account == nil else { return nil }
        try admit(.device, request, context)
        return try await awaiting(await answerer.device(named: name), as: PayerFault.refusal)
    }

    /// The device of a key, for a question that counts.
    private func device(
        _ routes: GatewayRoutes, _ key: String, _ request: Request, _ context: ServiceContext
    ) async throws(PayerFault) -> DeviceResponder.Device {
        try admit(.device, request, context)
        guard let key = try? PublicKey(hexadecimal: key) else { throw .refusal(.unknownAccount) }
        let reached = try await awaiting(await hosts.domain(of: request, context), as: PayerFault.host)
        let id = RegistrationID(key, at: reached.domain.name)
        return try await awaiting(await routes.gateway.answerer.device(id), as: PayerFault.refusal)
    }
}
