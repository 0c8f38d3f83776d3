import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import ResponderModel

extension PayerRoutes {
    /// An invoice (LUD-06), requested with a query or a JSON body (LUD-26).
    func payInvoice(
        for localPart: LocalPart,
        version: UInt64?,
        _ request: Request,
        _ context: ServiceContext
    ) async throws(PayerFault) -> PayerStep {
        // The response to HEAD would not carry the invoice.
        guard request.method != .head else { return Self.unasked }
        if let seconds = admission.wait(for: .invoice, request, context) { throw .tooOften(retryAfter: seconds) }
        let query = try await callbackQuery(of: request)
        let recipient = try await recipient(localPart, of: request, context)
        if let answerer, let device = try await device(of: recipient.account, by: answerer, request, context) {
            return try await askInvoice(of: device, by: answerer, version: version, query: query)
        }
        let account = recipient.account
        try await admitInvoice(of: account)
        do {
            return .answer(
                try await Self.invoice(responder.payInvoice(for: recipient, version: version, query: query)))
        } catch {
            throw await Self.forgiving(error, of: account, admission)
        }
    }

    /// What HEAD gets where an answer costs something: no invoice is made, and no phone is woken.
    static let unasked = PayerStep.answer(PayerAnswer([:], headers: PayerHeaders.noStore))

    static func invoice(_ answer: PayInvoice) -> PayerAnswer {
        PayerAnswer(answer.json, headers: PayerHeaders.noStore)
    }

    /// Counts an invoice of an account.
    func admitInvoice(of account: AccountID) async throws(PayerFault) {
        if let seconds = await admission.wait(for: account, by: .anybody) { throw .tooOften(retryAfter: seconds) }
    }

    /// An invoice that was refused, and does not count if that was the payer's mistake.
    static func forgiving(
        _ refusal: Refusal, of account: AccountID, _ admission: Admission
    ) async -> PayerFault {
        if refusal.isAskersMistake { await admission.forgive(account) }
        return .refusal(refusal)
    }

    /// What a payer sends with a query or a body.
    func callbackQuery(of request: Request) async throws(PayerFault) -> CallbackQuery {
        let items = try rethrowing(request.uri.items(), as: PayerFault.malformedQuery)
        do {
            guard request.method == .post else { return try CallbackQuery(items: items) }
            return try CallbackQuery(items: items, body: try await request.json(limit: bodyLimit))
        } catch let fault as CallbackFault {
            throw .callback(fault)
        } catch let fault as BodyFault {
            throw .body(fault)
        } catch {
            throw .body(.incomplete)
        }
    }
}
