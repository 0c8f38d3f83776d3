import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import Contracts

extension PayerRoutes {
    /// An invoice (LUD-06), requested with a query or a JSON body (LUD-26).
    func payInvoice(
        for localPart: LocalPart,
        version: UInt64?,
        _ request: Request,
        _ context: ServiceContext
    ) async throws(PayerFault) -> PayerAnswer {
        // The response to HEAD would not carry the invoice.
        guard request.method != .head else { return PayerAnswer([:], headers: PayerHeaders.noStore) }
        if let seconds = admission.wait(for: .invoice, request, context) { throw .tooOften(retryAfter: seconds) }
        let query = try await callbackQuery(of: request)
        let recipient = try await recipient(localPart, of: request, context)
        if let seconds = await admission.wait(for: recipient.account, by: .anybody) {
            throw .tooOften(retryAfter: seconds)
        }
        do {
            let answer = try await responder.payInvoice(for: recipient, version: version, query: query)
            return PayerAnswer(answer.json, headers: PayerHeaders.noStore)
        } catch {
            if error.isAskersMistake { await admission.forgive(recipient.account) }
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
