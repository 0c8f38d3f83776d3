import Bolt12
import LNURL
package import LightningCoding
import LightningCrypto
package import OutboundHTTP
package import ResponderModel

/// Reports payments to operators, signed as in Standard Webhooks.
///
/// URL and secret are looked up at each attempt, so that a corrected setting also applies to earlier failures. A 2xx
/// status is success, 410 parks the report at once, everything else is retried.
package final class SettlementWebhookSender: OutboxHandler {
    private let ledger: any AccountLedger & InvoiceLedger & Outbox
    private let settings: Settings
    private let client: HTTPClient
    private let clock: WallClock

    package struct Settings: Sendable {
        /// The webhook for accounts without their own; nil for none.
        package var standard: SettlementWebhook?
        /// Whether addresses outside the public internet and plain http are allowed.
        package var allowsPrivate: Bool
        package var proxy: Proxy

        package init(
            standard: SettlementWebhook? = nil, allowsPrivate: Bool = false, proxy: Proxy = .none
        ) {
            self.standard = standard
            self.allowsPrivate = allowsPrivate
            self.proxy = proxy
        }
    }

    /// How many notices are in flight at once to one host: as many as a runner has in hand, since the time that one waits for
    /// another counts as the receiver's.
    private static let perHost = 16

    /// Creates a sender; its client ends with the last reference.
    package init(
        _ settings: Settings, ledger: any AccountLedger & InvoiceLedger & Outbox,
        clock: @escaping WallClock = { .now() }
    ) throws(OutboundFault) {
        self.settings = settings
        self.ledger = ledger
        self.clock = clock
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrencyPerHost = Self.perHost
        configuration.proxy = settings.proxy
        // Addresses cannot be checked through a proxy; the URL is the operator's own.
        let isAny = settings.allowsPrivate || settings.proxy != .none
        configuration.addressPolicy = AddressPolicy(scope: isAny ? .any : .publicOnly)
        client = try HTTPClient(configuration)
    }

    package func carryOut(_ job: SettlementWebhookJob, _ work: OutboxWork) async -> OutboxOutcome {
        let name = job.payee
        do {
            guard let body = try await ledger.invoice(job.paymentHash)?.settlementWebhookBody() else {
                return .refused("the ledger knows of no such payment")
            }
            let account = try await ledger.account(named: name)
            guard let webhook = account?.settings.settlementWebhook ?? settings.standard else {
                // Another instance has been started with the setting, which this one lacks: it is left to that one.
                guard try await !ledger.tellsSettlementsOfAll() else {
                    return .failed("settlement-webhook.url is not set at this instance")
                }
                return .dropped("no settlement webhook is configured for \(name)")
            }
            return await post(body, of: job.id, to: webhook)
        } catch {
            return .failed("the ledger was not readable")
        }
    }

    private func post(_ body: [UInt8], of id: OutboxID, to webhook: SettlementWebhook) async -> OutboxOutcome {
        guard webhook.url.scheme == .https || webhook.url.isOnion || settings.allowsPrivate else {
            return .failed("plain http needs settlement-webhook.allow-private")
        }
        let secret: WebhookSigningSecret
        do {
            secret = try WebhookSigningSecret(file: webhook.secretFile)
        } catch {
            return .failed(error.reason)
        }
        let now = clock()
        let fields = [
            ("webhook-id", id.text), ("webhook-timestamp", String(now.seconds)),
            ("webhook-signature", secret.signature(id: id.text, timestamp: now, body: body)),
        ]
        // Every one of these texts is a valid header value.
        let headers = [HTTPField.jsonContent] + fields.compactMap { try? HTTPField($0, $1) }
        do throws(OutboundFault) {
            let request = HTTPRequest(
                .post, webhook.url, headers: headers, body: body, timeout: .seconds(15), wantsBody: false)
            return Self.outcome(of: try await client.send(request).status)
        } catch {
            return .failed(error.webhookReason)
        }
    }

    static func outcome(of status: Int) -> OutboxOutcome {
        switch status {
        case 200...299: .carriedOut
        case 410: .refused("the receiver answers 410: it wants no more notices")
        case 300...399: .failed("the receiver answers \(status); redirects are not followed")
        default: .failed("the receiver answers \(status)")
        }
    }
}

extension OutboundFault {
    fileprivate var webhookReason: String {
        switch self {
        case .refusedAddress:
            "the host has no address of the public internet; others need settlement-webhook.allow-private"
        case .onionWithoutProxy: "an onion service needs a SOCKS proxy (replies.proxy)"
        case .resolve: "the host has no address"
        case .connect, .proxy: "no connection with the receiver"
        case .handshake, .tls, .otherKey: "no secure connection with the receiver"
        case .timeout: "the receiver did not answer in time"
        case .connectionLost: "the connection was lost before an answer"
        case .malformedResponse, .headersTooLarge, .bodyTooLarge: "the receiver's answer cannot be read"
        case .overloaded: "too many notices are under way"
        case .canceled, .closed, .other: "the notice could not be posted"
        }
    }
}

extension IssuedInvoice {
    /// The body that reports a payment to an operator; nil when there is none yet. It contains neither the preimage,
    /// which is the payer's proof, nor payer data (LUD-18).
    func settlementWebhookBody() -> [UInt8]? {
        guard let settlement else { return nil }
        var data: JSONObject = [
            "account": .string(account.name.text),
            "domain": .string(account.domain.text),
            "paymentHash": .string(paymentHash.hexadecimal),
            "amount": .unsigned(amount.msat),
            "received": .unsigned(settlement.received.msat),
            "settledAt": .string(settlement.settledAt.iso8601),
            "backend": .string(backend.description),
        ]
        switch origin {
        case .lnurl(let words):
            data["kind"] = "lnurl"
            data["tag"] = words.tag.map(JSONValue.string)
            data["comment"] = words.comment.map(JSONValue.string)
        case .bolt12(let offered):
            data["kind"] = "bolt12"
            data["offerID"] = .string(offered.offer.hexadecimal)
            data["quantity"] = offered.quantity.map(JSONValue.unsigned)
            data["payerNote"] = offered.payerNote.map(JSONValue.string)
            data["payeeName"] = offered.name.map(JSONValue.string)
        }
        let body: JSONObject = [
            "type": "payment.received", "timestamp": .string(settlement.settledAt.iso8601), "data": .object(data),
        ]
        return JSONValue.object(body).serializedBytes()
    }
}
