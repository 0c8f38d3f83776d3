import Bolt12
import CoreMetrics
import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import Receiving
import Responding

/// Answers invoice requests that a forwarder took off the Lightning network for us: `POST /webhook/{account}/{secret}`.
///
/// The answer is the HTTP response itself, `{"invoice":"lni1…"}` or `{"error":"…"}`: the forwarder sends the one or the other
/// to the payer.
struct InvoiceRequestRoute: Sendable {
    let responder: Responder
    let secrets: WebhookSecrets

    private let issued: Counter
    private let instruments: RouteInstruments

    private static let template = "/webhook/{account}/{secret}"

    init(responder: Responder, secrets: WebhookSecrets, metrics: any MetricsFactory) {
        self.responder = responder
        self.secrets = secrets
        issued = Counter(label: "responder_invoices_issued_total", factory: metrics)
        instruments = RouteInstruments(template: Self.template, metrics: metrics)
    }

    func add(to router: Router<ServiceContext>) {
        router.post(RouterPath(Self.template)) { request, context in
            await instruments.observe(context.logger) {
                do throws(WebhookRefusal) {
                    let invoice = try await answer(request, context)
                    issued.increment()
                    return .init(.webhook(["invoice": .string(invoice.text)]))
                } catch {
                    return .init(error.response, error.outcome, cause: error.cause)
                }
            }
        }
    }

    private func answer(_ request: Request, _ context: ServiceContext) async throws(WebhookRefusal) -> Invoice {
        let account = try await account(context)
        let call: InvoiceRequestCall
        do throws(CallFault) {
            call = try await self.call(in: request)
        } catch {
            throw .call(error)
        }
        do throws(RequestRefusal) {
            return try await responder.invoice(
                answering: call.request, to: try call.offer.map(Self.offer), for: account, arrival: .forwarder
            )
        } catch {
            throw .request(error)
        }
    }

    /// The account whose secret is in the path. The secret is looked at first: without it nobody learns who is here.
    private func account(_ context: ServiceContext) async throws(WebhookRefusal) -> AddressName {
        guard let segment = context.parameters.get("account"), let part = try? LocalPart(pathSegment: segment),
            part.tag == nil, let secret = context.parameters.get("secret"), secrets.isSecret(secret, of: part.name)
        else { throw .unknown }
        do {
            guard try await responder.accounts.account(named: part.name) != nil else { throw WebhookRefusal.unknown }
        } catch let fault as LedgerFault {
            throw .request(.unavailable(.ledger(fault)))
        } catch {
            throw .unknown
        }
        return part.name
    }

    private func call(in request: Request) async throws(CallFault) -> InvoiceRequestCall {
        let body: JSONValue
        do {
            body = try await request.json(limit: InvoiceRequestCall.bodyLimit)
        } catch {
            throw .body(error)
        }
        return try InvoiceRequestCall(body)
    }

    private static func offer(_ text: String) throws(RequestRefusal) -> Offer {
        do {
            return try Offer(text)
        } catch {
            throw .request(.offerMismatch)
        }
    }
}
