package import LNURL
import LightningCoding
package import LightningCrypto
package import ResponderModel

extension DeviceAnswerer {
    /// Asks for the limits and metadata; the callback tells which metadata it was.
    package func askPayRequest(of device: Device) throws(Refusal) -> AskedDevice<PayRequest, Refusal> {
        // The same question whether the payer knows the name or the key: the device is asked once.
        let callback = device.base.appendingPath("/lnurlpay/\(device.ownName)/invoice")
        return AskedDevice(try refusing(ask(.info(callback: callback), device))) { outcome throws(Refusal) in
            guard case .info(let answer) = try rethrowing(outcome.get(), as: Refusal.device) else {
                throw .device(.unusable)
            }
            return try rethrowing(
                PayRequest(
                    callback: device.callback(MetadataMark(of: answer.metadata)), minSendable: answer.minSendable,
                    maxSendable: answer.maxSendable, metadata: answer.metadata, commentAllowed: answer.commentAllowed,
                    nostrKey: answer.nostrKey)
            ) { Refusal.unavailable(.answer($0)) }
        }
    }

    package func askInvoice(
        of device: Device, version: UInt64?, query: CallbackQuery
    ) throws(Refusal) -> AskedDevice<PayInvoice, Refusal> {
        if let comment = query.comment, !Comment.fits(comment, allowed: Self.commentAllowed) {
            throw .commentTooLong(allowed: Self.commentAllowed)
        }
        let question = DeviceQuestion.InvoiceQuestion(
            query, shown: version.map(MetadataMark.init), verifyTemplate: device.verifyTemplate)
        let pending = try refusing(ask(.invoice(question), device))
        return AskedDevice(pending) { [self] outcome throws(Refusal) in
            guard case .invoice(let invoice, let hash) = try rethrowing(outcome.get(), as: Refusal.device) else {
                throw .device(.unusable)
            }
            guard try await awaiting(await !isPaid(hash, device), as: Refusal.unavailable) else {
                throw .device(.unusable)
            }
            let mark = marks.mark(of: hash, for: device.registration.id)
            return PayInvoice(pr: invoice.pr, verify: invoice.verify.map { _ in device.verifyURL(of: hash, mark) })
        }
    }

    /// Whether an invoice has been paid, or the question to the device.
    package enum Verification: Sendable {
        /// It has, and the preimage is known: the device is not asked again.
        case known(VerifyResponse)
        case asked(AskedDevice<VerifyResponse, Refusal>)
    }

    /// Whether an invoice has been paid.
    ///
    /// - Parameters:
    ///   - paymentHash: the invoice's.
    ///   - mark: the one in the verify URL; without the right one nobody is asked.
    ///   - device: whose invoice it is.
    package func verify(
        _ paymentHash: PaymentHash, marked mark: UInt64?, at device: Device
    ) async throws(Refusal) -> Verification {
        let id = device.registration.id
        guard let mark, marks.isMark(mark, of: paymentHash, for: id) else { throw .unknownInvoice }
        if let paid = try await Self.asking(await ledger.paidInvoice(paymentHash, of: id)) {
            return .known(VerifyResponse(preimage: paid.preimage, pr: paid.bolt11))
        }
        let pending = try refusing(ask(.verify(paymentHash), device))
        return .asked(
            AskedDevice(pending) { outcome throws(Refusal) in try Self.verification(outcome) })
    }

    private static func verification(
        _ outcome: Result<DeviceAnswer, DeviceRefusal>
    ) throws(Refusal) -> VerifyResponse {
        switch outcome {
        case .success(.verify(let response)): return response
        case .success: throw .device(.unusable)
        case .failure(.refused(let reason)) where reason.isExactly(unknown): throw .unknownInvoice
        case .failure(let refusal): throw .device(refusal)
        }
    }

    /// How devices refuse when they do not know an invoice. Other reasons, such as a node that starts, pass.
    private static let unknown = "Not found"

    func ask(_ question: DeviceQuestion, _ device: Device) throws(DeviceRefusal) -> ReplyChannel.Pending {
        try channel.ask(question, of: device.registration, replyBase: device.base.appendingPath("/response"))
    }

    private func refusing(
        _ pending: @autoclosure () throws(DeviceRefusal) -> ReplyChannel.Pending
    ) throws(Refusal) -> ReplyChannel.Pending {
        try rethrowing(pending(), as: Refusal.device)
    }
}

extension DeviceAnswerer.Device {
    /// The registered name as in the paths, or else the key.
    fileprivate var ownName: String {
        registration.name.map { domain.shownName(of: $0).text } ?? registration.id.key.hexadecimal
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
