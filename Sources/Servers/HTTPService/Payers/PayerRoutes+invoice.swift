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
    ) async throws(PayerFault) -> PayerAnswer {
        // The response to HEAD would not carry the invoice.
        guard request.method != .head else { return Self.unasked }
        if let seconds = admission.wait(for: .invoice, request, context) { throw .tooOften(retryAfter: seconds) }
        let query = try await callbackQuery(of: request)
        let recipient = try await recipient(localPart, of: request, context)
        if let answerer, let device = try await device(of: recipient.account, by: answerer, request, context) {
            return try await payInvoice(
                of: device, by: answerer, version: version, query: query, for: payer(of: request, context))
        }
        return try await countedInvoice(of: recipient.account) { () async throws(Refusal) in
            try await responder.payInvoice(for: recipient, version: version, query: query)
        }
    }

    /// What HEAD gets where an answer costs something: no invoice is made, and no phone is woken.
    static let unasked = PayerAnswer([:], headers: PayerHeaders.noStore)

    /// An invoice, which counts for its account unless it was refused for the payer's mistake.
    func countedInvoice(
        of account: AccountID, _ invoice: () async throws(Refusal) -> PayInvoice
    ) async throws(PayerFault) -> PayerAnswer {
        if let seconds = await admission.wait(for: account, by: .anybody) { throw .tooOften(retryAfter: seconds) }
        do throws(Refusal) {
            return PayerAnswer(try await invoice().json, headers: PayerHeaders.noStore)
        } catch {
            if error.isClientError { await admission.forgive(account) }
            throw .refusal(error)
        }
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
