package import LNURL
import LightningCoding
package import LightningCrypto
package import ResponderModel

extension DeviceResponder {
    /// The limits and metadata; the callback tells which metadata it was.
    package func payRequest(of device: Device, for payer: Payer = Payer()) async throws(Refusal) -> PayRequest {
        guard case .info(let answer) = try await ask(device.infoQuestion, device, payer) else {
            throw .device(.unusable)
        }
        return try rethrowing(
            PayRequest(
                callback: device.callback(MetadataMark(of: answer.metadata)), minSendable: answer.minSendable,
                maxSendable: answer.maxSendable, metadata: answer.metadata, commentAllowed: answer.commentAllowed,
                nostrKey: answer.nostrKey)
        ) { Refusal.unavailable(.answer($0)) }
    }

    /// An invoice that commits to the metadata that the version tells of.
    package func payInvoice(
        of device: Device, version: UInt64?, query: CallbackQuery, for payer: Payer = Payer()
    ) async throws(Refusal) -> PayInvoice {
        if let comment = query.comment, !Comment.fits(comment, allowed: Self.commentAllowed) {
            throw .commentTooLong(allowed: Self.commentAllowed)
        }
        try check(query, of: device)
        let question = DeviceQuestion.InvoiceQuestion(
            query, shown: version.map(MetadataMark.init), verifyTemplate: device.verifyTemplate)
        guard case .invoice(let invoice, let hash) = try await ask(.invoice(question), device, payer) else {
            throw .device(.unusable)
        }
        guard try await awaiting(await !isPaid(hash, device), as: Refusal.unavailable) else {
            throw .device(.unusable)
        }
        let mark = marks.mark(of: hash, for: device.registration.id)
        return PayInvoice(pr: invoice.pr, verify: invoice.verify.map { _ in device.verifyURL(of: hash, mark) })
    }

    /// Refuses what the device would refuse by the limits that it has given lately: it is not woken for that.
    private func check(_ query: CallbackQuery, of device: Device) throws(Refusal) {
        guard case .info(let known) = channel.known(device.infoQuestion, of: device.registration) else { return }
        if let limits = ReceiveLimits(minimum: known.minSendable, maximum: known.maxSendable),
            !limits.contains(query.amount)
        {
            throw .amountOutOfLimits(limits)
        }
        if let comment = query.comment, !Comment.fits(comment, allowed: known.commentAllowed) {
            throw .commentTooLong(allowed: known.commentAllowed)
        }
    }

    /// Whether an invoice has been paid. A device whose payment is known is not asked again.
    ///
    /// - Parameters:
    ///   - paymentHash: the invoice's.
    ///   - mark: the one in the verify URL; without the right one nobody is asked.
    ///   - device: whose invoice it is.
    ///   - payer: who asks.
    package func verify(
        _ paymentHash: PaymentHash, marked mark: UInt64?, at device: Device, for payer: Payer = Payer()
    ) async throws(Refusal) -> VerifyResponse {
        let id = device.registration.id
        guard let mark, marks.isMark(mark, of: paymentHash, for: id) else { throw .unknownInvoice }
        if let paid = try await Refusal.asking(await ledger.paidInvoice(paymentHash, of: id)) {
            return VerifyResponse(preimage: paid.preimage, pr: paid.bolt11)
        }
        do throws(Refusal) {
            guard case .verify(let response) = try await ask(.verify(paymentHash), device, payer) else {
                throw .device(.unusable)
            }
            return response
        } catch .device(.refused(let reason)) where reason.isExactly(Self.unknown) {
            throw .unknownInvoice
        }
    }

    /// How devices refuse when they do not know an invoice. Other reasons, such as a node that starts, pass.
    private static let unknown = "Not found"

    private func ask(
        _ question: DeviceQuestion, _ device: Device, _ payer: Payer
    ) async throws(Refusal) -> DeviceAnswer {
        try await awaiting(await answer(to: question, device, payer), as: Refusal.device)
    }

    func answer(
        to question: DeviceQuestion, _ device: Device, _ payer: Payer = Payer()
    ) async throws(DeviceRefusal) -> DeviceAnswer {
        try await channel.answer(
            to: question, by: device.registration, replyBase: device.base.appendingPath("/response"), for: payer)
    }
}

extension DeviceResponder.Device {
    /// The registered name as in the paths, or else the key.
    fileprivate var ownName: String {
        registration.name.map { domain.shownName(of: $0).text } ?? registration.id.key.hexadecimal
    }

    /// Asks for the limits and metadata: the same whether the payer knows the name or the key, so that the device is asked once.
    fileprivate var infoQuestion: DeviceQuestion {
        .info(callback: base.appendingPath("/lnurlpay/\(ownName)/invoice"))
    }

    /// The URL for an invoice that commits to that metadata.
    fileprivate func callback(_ shown: MetadataMark) -> HTTPURL {
        base.appendingPath("/lnurlpay/\(name)/v\(shown.number)/invoice")
    }

    /// The URL that tells whether an invoice has been paid.
    fileprivate func verifyURL(of paymentHash: PaymentHash, _ mark: UInt64) -> HTTPURL {
        base.appendingPath("/lnurlpay/\(name)/\(mark)/\(paymentHash.hexadecimal)")
    }

    /// What the device is told: that payers ask for it in this way. They get ``verifyURL(of:_:)``.
    fileprivate var verifyTemplate: String {
        base.appendingPath("/lnurlpay/\(name)/").text + "{payment_hash}"
    }
}
