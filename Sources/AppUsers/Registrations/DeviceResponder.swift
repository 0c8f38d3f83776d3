import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
package import ResponderCore
package import ResponderModel

/// Who has registered, and what their devices are asked over.
package struct AppUsers: Sendable {
    let ledger: any RegistrationLedger
    let accounts: AccountDirectory
    let channel: ReplyChannel
    let marks: VerifyMarks

    /// - Parameters:
    ///   - ledger: the registrations.
    ///   - accounts: the domains.
    ///   - channel: asks the devices.
    ///   - marks: tell which invoices were given out.
    package init(
        _ ledger: any RegistrationLedger, accounts: AccountDirectory, channel: ReplyChannel, marks: VerifyMarks
    ) {
        self.ledger = ledger
        self.accounts = accounts
        self.channel = channel
        self.marks = marks
    }

    /// Who answers for a recipient; nil for one who has not registered.
    @Sendable package func responder(for recipient: Recipient) async throws(LedgerFault) -> (any PayResponder)? {
        guard let registration = try await ledger.registration(of: recipient),
            let domain = try await accounts.domains()[registration.id.domain]
        else { return nil }
        let name: PayPaths.Recipient =
            switch recipient {
            // Devices know no tags (LUD-16): what follows the `+` is ignored.
            case .name(let localPart, _): .name(LocalPart(name: domain.shownName(of: localPart.name)))
            case .key(let id): .key(id.key)
            }
        return DeviceResponder(users: self, registration: registration, domain: domain, name: name)
    }
}

/// Answers the payers of an app user from the device.
struct DeviceResponder: PayResponder {
    let users: AppUsers
    let registration: Registration
    let domain: Domain
    /// By which its payer knows it.
    let name: PayPaths.Recipient

    /// The longest comment that is passed on, in characters; devices allow fewer.
    static let commentAllowed = 1000

    var kind: RecipientKind { .registered(registration.id.key) }

    /// The name's or, where there is none, that of the key, without its first byte to be as short as a name.
    var account: AccountID? {
        let digits = registration.id.key.hexadecimal.dropFirst(2)
        return registration.account ?? AccountID((try? AddressName(digits)) ?? .root, at: registration.id.domain)
    }

    /// The limits and metadata; the callback's token tells which metadata it was.
    func payRequest(for payer: Payer) async throws(Refusal) -> (request: PayRequest, maxAge: UInt64?) {
        guard case .info(let answer) = try await ask(infoQuestion, payer) else { throw .device(.unusable) }
        let token = PayToken(MetadataMark(of: answer.metadata).number)
        let request = try rethrowing(
            PayRequest(
                callback: PayPaths.callback(of: name, token: token, at: base), minSendable: answer.minSendable,
                maxSendable: answer.maxSendable, metadata: answer.metadata, commentAllowed: answer.commentAllowed,
                nostrKey: answer.nostrKey)
        ) { Refusal.unavailable(.answer($0)) }
        return (request, nil)
    }

    /// An invoice that commits to the metadata that the token tells of.
    func payInvoice(
        _ query: CallbackQuery, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> (invoice: PayInvoice, paymentHash: PaymentHash) {
        if let comment = query.comment, !Comment.fits(comment, allowed: Self.commentAllowed) {
            throw .commentTooLong(allowed: Self.commentAllowed)
        }
        try check(query)
        let question = DeviceQuestion.InvoiceQuestion(
            query, shown: token.map { MetadataMark($0.number) }, verifyTemplate: verifyTemplate)
        guard case .invoice(let invoice, let hash) = try await ask(.invoice(question), payer) else {
            throw .device(.unusable)
        }
        guard try await !isPaid(hash) else { throw .device(.unusable) }
        let mark = PayToken(users.marks.mark(of: hash, for: registration.id))
        let verify = invoice.verify.map { _ in PayPaths.verify(hash, of: name, token: mark, at: base) }
        return (PayInvoice(pr: invoice.pr, verify: verify), hash)
    }

    /// Refuses what the device would refuse by the limits that it has given lately: it is not woken for that.
    private func check(_ query: CallbackQuery) throws(Refusal) {
        guard case .info(let known) = users.channel.known(infoQuestion, of: registration) else { return }
        if let limits = ReceiveLimits(minimum: known.minSendable, maximum: known.maxSendable),
            !limits.contains(query.amount)
        {
            throw .amountOutOfLimits(limits)
        }
        if let comment = query.comment, !Comment.fits(comment, allowed: known.commentAllowed) {
            throw .commentTooLong(allowed: known.commentAllowed)
        }
    }

    /// Whether an invoice has been paid; without the right mark as the token nobody is asked, and a device whose payment is
    /// known is not asked again.
    func verify(
        _ paymentHash: PaymentHash, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> VerifyResponse {
        let id = registration.id
        guard let token, users.marks.isMark(token.number, of: paymentHash, for: id) else {
            throw .unknownInvoice
        }
        let paid = try await Refusal.asking(await users.ledger.paidInvoice(paymentHash, of: id))
        if let paid { return VerifyResponse(preimage: paid.preimage, pr: paid.bolt11) }
        do throws(Refusal) {
            guard case .verify(let response) = try await ask(.verify(paymentHash), payer) else {
                throw .device(.unusable)
            }
            return response
        } catch .device(.refused(let reason)) where reason.isExactly(Self.unknown) {
            throw .unknownInvoice
        }
    }

    /// How devices refuse when they do not know an invoice. Other reasons, such as a node that starts, pass.
    private static let unknown = "Not found"

    /// A BOLT12 invoice. The request is checked before the device is woken.
    func invoice(
        answering bytes: [UInt8], to offer: Offer?, issued: IssuedOffer?, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        guard let text = registration.offer, let registered = try? Offer(text) else { throw .unknownOffer }
        do throws(InvoiceRequestFault) {
            let request = try InvoiceRequest(bytes: bytes)
            guard offer == nil || offer == registered, (try? request.mirroredOffer()) == registered else {
                throw .offerMismatch
            }
            try request.checkSignature()
        } catch {
            throw .request(error)
        }
        do throws(Refusal) {
            guard case .offered(let invoice) = try await ask(.invoiceRequest(bytes, offer: text), Payer()),
                try await !isPaid(invoice.paymentHash)
            else { throw .device(.unusable) }
            return invoice
        } catch {
            throw .payment(error)
        }
    }

    /// Whether an invoice is known to be paid: whoever pays it again may lose the money, since its preimage is known.
    private func isPaid(_ paymentHash: PaymentHash) async throws(Refusal) -> Bool {
        try await Refusal.asking(await users.ledger.paidInvoice(paymentHash, of: registration.id)) != nil
    }

    private func ask(_ question: DeviceQuestion, _ payer: Payer) async throws(Refusal) -> DeviceAnswer {
        try await awaiting(
            await users.channel.answer(
                to: question, by: registration, replyBase: base.appendingPath("/response"), for: payer),
            as: Refusal.device)
    }
}

extension DeviceResponder {
    private var base: HTTPURL { domain.base(of: registration.name ?? .root) }

    /// Asks for the limits and metadata: the same whether the payer knows the name or the key, so that the device is asked once.
    private var infoQuestion: DeviceQuestion {
        let ownName = registration.name.map { PayPaths.Recipient.name(LocalPart(name: domain.shownName(of: $0))) }
        return .info(callback: PayPaths.callback(of: ownName ?? .key(registration.id.key), at: base))
    }

    /// What the device is told: that payers ask for it in this way. They get a URL with a mark.
    private var verifyTemplate: String { base.appendingPath("/lnurlpay/\(name.text)/").text + "{payment_hash}" }
}
