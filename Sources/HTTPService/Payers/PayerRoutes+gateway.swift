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
                router.on(RouterPath(path), method: method) { request, context in await answer(request, context) }
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
                    let device = try await device(routes, key, request, context)
                    let answer = try await awaiting(
                        await routes.gateway.answerer.payRequest(to: device), as: PayerFault.refusal)
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
                    let device = try await device(routes, key, request, context)
                    return try await invoice(of: device.account) { () async throws(Refusal) in
                        try await routes.gateway.answerer.payInvoice(from: device, version: version, query: query)
                    }
                }
            }
        case .verify(let key, let mark, let text) where isRead:
            return await verify.observe(context.logger) {
                await .init { () async throws(PayerFault) in
                    try admit(.verify, request, context)
                    guard let hash = try? PaymentHash(hexadecimal: text) else { throw .refusal(.unknownInvoice) }
                    let device = try await device(routes, key, request, context)
                    let mark = mark.flatMap { UInt64(digits: $0) }
                    return PayerAnswer(
                        try await awaiting(
                            await routes.gateway.answerer.verify(hash, marked: mark, at: device),
                            as: PayerFault.refusal))
                }
            }
        default:
            guard request.method == .post || request.method == .delete || path.isRead else { return nil }
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

    /// Counts a question about a name that is no account's: only a device could answer it.
    func admitToDevice(
        _ name: AccountID, _ request: Request, _ context: ServiceContext
    ) async throws(PayerFault) {
        guard gateway != nil else { return }
        let account = try await awaiting(await hosts.accounts.account(named: name)) {
            PayerFault.refusal(.unavailable(.ledger($0)))
        }
        if account == nil { try admit(.device, request, context) }
    }

    /// The device of a key, for a question that counts.
    private func device(
        _ routes: GatewayRoutes, _ key: String, _ request: Request, _ context: ServiceContext
    ) async throws(PayerFault) -> DeviceAnswerer.Device {
        try admit(.device, request, context)
        guard let key = try? PublicKey(hexadecimal: key) else { throw .refusal(.unknownAccount) }
        let reached = try await awaiting(await hosts.domain(of: request, context), as: PayerFault.host)
        let id = RegistrationID(key, at: reached.domain.name)
        return try await awaiting(await routes.gateway.answerer.device(id), as: PayerFault.refusal)
    }
}

extension RegistrationPath {
    /// Whether it is read by GET.
    fileprivate var isRead: Bool {
        switch self {
        case .availableName, .metadata: true
        default: false
        }
    }
}
