import Bolt11
public import Bolt12
public import Contracts
public import LNURL
public import LightningCoding
public import LightningCrypto

public import ResponderCore

/// Answers payers of app users from their devices.
public struct DeviceAnswerer: Answerers.Answerer {
    private let ledger: any RegistrationLedger
    private let accounts: AccountDirectory
    private let channel: ReplyChannel
    private let marks: VerifyMarks
    private let now: WallClock
    private let onPaid: PaymentReport

    /// Is told of a payment that a device has received, with the preimage: whose, the payment hash, and how much.
    public typealias PaymentReport = @Sendable (RegistrationID, PaymentHash, Millisatoshi?) async -> Void

    /// The longest comment that is passed on, in characters; devices allow fewer.
    public static let commentAllowed = 1000

    /// Creates an answerer.
    ///
    /// - Parameters:
    ///   - ledger: the registrations.
    ///   - accounts: the domains.
    ///   - channel: asks the devices.
    ///   - marks: tell which invoices were given out.
    ///   - now: the time at which payments are recorded.
    ///   - onPaid: is told of payments, once for each as a rule.
    public init(
        _ ledger: any RegistrationLedger, accounts: AccountDirectory, channel: ReplyChannel, marks: VerifyMarks,
        now: @escaping WallClock = UnixTime.now, onPaid: @escaping PaymentReport = { _, _, _ in }
    ) {
        self.ledger = ledger
        self.accounts = accounts
        self.channel = channel
        self.marks = marks
        self.now = now
        self.onPaid = onPaid
    }

    /// For `Answerers`: devices answer for the names that are registered.
    public var choice: Answerers.Choice {
        { name throws(Refusal.Cause) in
            do throws(LedgerFault) {
                return try await answers(for: name) ? self : nil
            } catch {
                throw .ledger(error)
            }
        }
    }

    /// Whether a device answers for a name. A name of an account is the account's, whoever is registered.
    public func answers(for name: AccountID) async throws(LedgerFault) -> Bool {
        guard try await accounts.account(named: name) == nil else { return false }
        return try await ledger.registration(named: name) != nil
    }

    /// The limits and metadata. Devices know no tags (LUD-16): what follows the `+` is ignored.
    public func payRequest(for recipient: Recipient) async throws(Refusal) -> PayRequest {
        try await payRequest(to: try await device(named: recipient.account))
    }

    /// An invoice that commits to the metadata that the version tells of.
    public func payInvoice(
        for recipient: Recipient, version: UInt64?, query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice {
        try await payInvoice(from: try await device(named: recipient.account), version: version, query: query)
    }

    /// Whether an invoice has been paid. Where verify URLs of accounts have a time, those of devices have a mark.
    public func verify(
        _ paymentHash: PaymentHash, of account: AccountID, createdAt: UnixTime?
    ) async throws(Refusal) -> VerifyResponse {
        try await verify(paymentHash, marked: createdAt?.seconds, at: try await device(named: account))
    }

    /// A BOLT12 invoice. The request is checked before the device is woken.
    public func invoice(
        answering bytes: [UInt8], to offer: Offer?, for account: AccountID, arrival: Arrival
    ) async throws(RequestRefusal) -> Invoice {
        let device: Device
        do {
            device = try await self.device(named: account)
        } catch .unavailable(let cause) {
            throw .unavailable(cause)
        } catch {
            throw .unknownOffer
        }
        guard let text = device.registration.offer, let registered = try? Offer(text) else { throw .unknownOffer }
        do throws(InvoiceRequestFault) {
            let request = try InvoiceRequest(bytes: bytes)
            guard offer == nil || offer == registered, (try? request.mirroredOffer()) == registered else {
                throw .offerMismatch
            }
            try request.checkSignature()
        } catch {
            throw .request(error)
        }
        let question = DeviceQuestion.invoiceRequest(bytes, offer: text)
        guard case .offered(let invoice) = try await awaiting(await ask(question, device), as: RequestRefusal.device)
        else { throw .device(.unusable) }
        return invoice
    }
}

extension DeviceAnswerer {
    /// A registration, and the name by which its payers know it: its own, or the key.
    public struct Device: Sendable {
        let registration: Registration
        let domain: Domain
        /// As in the paths.
        let name: String

        /// Whose questions are counted: the name's or, where there is none, those of the key, without its first byte to be
        /// as short as a name.
        public var account: AccountID {
            let digits = registration.id.key.hexadecimal.dropFirst(2)
            return registration.account
                ?? AccountID((try? AddressName(digits)) ?? .root, at: registration.id.domain)
        }

        var base: HTTPURL { domain.base(of: registration.name ?? .root) }
    }

    /// The device of a name.
    public func device(named account: AccountID) async throws(Refusal) -> Device {
        let found = try await Self.asking(await ledger.registration(named: account))
        return try await device(found) { $0.shownName(of: account.name).text }
    }

    /// The device of a key.
    public func device(_ id: RegistrationID) async throws(Refusal) -> Device {
        try await device(try await Self.asking(await ledger.registration(id))) { _ in id.key.hexadecimal }
    }

    private func device(
        _ registration: Registration?, named name: (Domain) -> String
    ) async throws(Refusal) -> Device {
        guard let registration else { throw .unknownAccount }
        guard let domain = try await Self.asking(await accounts.domains())[registration.id.domain] else {
            throw .unknownAccount
        }
        return Device(registration: registration, domain: domain, name: name(domain))
    }

    private static func asking<Value>(
        _ answer: @autoclosure () async throws(LedgerFault) -> Value
    ) async throws(Refusal) -> Value {
        try await awaiting(await answer()) { Refusal.unavailable(.ledger($0)) }
    }

    /// The limits and metadata; the callback tells which metadata it was.
    public func payRequest(to device: Device) async throws(Refusal) -> PayRequest {
        // The same question whether the payer knows the name or the key: the device is asked once.
        let callback = device.base.appendingPath("/lnurlpay/\(device.ownName)/invoice")
        guard case .info(let answer) = try await refusing(await ask(.info(callback: callback), device)) else {
            throw .device(.unusable)
        }
        return try rethrowing(
            PayRequest(
                callback: device.callback(MetadataMark(of: answer.metadata)), minSendable: answer.minSendable,
                maxSendable: answer.maxSendable, metadata: answer.metadata, commentAllowed: answer.commentAllowed,
                nostrKey: answer.nostrKey)
        ) { Refusal.unavailable(.answer($0)) }
    }

    /// An invoice.
    public func payInvoice(
        from device: Device, version: UInt64?, query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice {
        if let comment = query.comment, !Comment.fits(comment, allowed: Self.commentAllowed) {
            throw .commentTooLong(allowed: Self.commentAllowed)
        }
        let question = DeviceQuestion.InvoiceQuestion(
            query, shown: version.map(MetadataMark.init), verifyTemplate: device.verifyTemplate)
        guard case .invoice(let invoice, let hash) = try await refusing(await ask(.invoice(question), device)) else {
            throw .device(.unusable)
        }
        let mark = marks.mark(of: hash, for: device.registration.id)
        return PayInvoice(pr: invoice.pr, verify: invoice.verify.map { _ in device.verifyURL(of: hash, mark) })
    }

    /// Whether an invoice has been paid. Once it has, and the preimage is known, the device is not asked again.
    ///
    /// - Parameters:
    ///   - paymentHash: the invoice's.
    ///   - mark: the one in the verify URL; without the right one nobody is asked.
    ///   - device: whose invoice it is.
    public func verify(
        _ paymentHash: PaymentHash, marked mark: UInt64?, at device: Device
    ) async throws(Refusal) -> VerifyResponse {
        let id = device.registration.id
        guard let mark, marks.isMark(mark, of: paymentHash, for: id) else { throw .unknownInvoice }
        let paid = try await Self.asking(await ledger.paidInvoice(paymentHash, of: id))
        if let paid, let preimage = paid.preimage { return VerifyResponse(preimage: preimage, pr: paid.bolt11) }
        let answer: DeviceAnswer
        do throws(DeviceRefusal) {
            answer = try await ask(.verify(paymentHash), device)
        } catch .refused(let reason) where reason.isExactly(Self.unknown) {
            throw .unknownInvoice
        } catch {
            throw .device(error)
        }
        guard case .verify(let response) = answer else { throw .device(.unusable) }
        if let preimage = response.preimage {
            let paid = PaidInvoice(paymentHash: paymentHash, preimage: preimage, bolt11: response.pr)
            await onPaid(id, paymentHash, (try? UnverifiedBolt11Invoice(response.pr).verified())?.amount)
            // The answer is right even if it cannot be kept.
            try? await ledger.keep(paid, of: id, at: now())
        }
        return response
    }

    /// How devices refuse when they do not know an invoice. Other reasons, such as a node that starts, pass.
    private static let unknown = "Not found"

    private func ask(_ question: DeviceQuestion, _ device: Device) async throws(DeviceRefusal) -> DeviceAnswer {
        try await channel.answer(
            to: question, by: device.registration, replyBase: device.base.appendingPath("/response"))
    }

    private func refusing(
        _ answer: @autoclosure () async throws(DeviceRefusal) -> DeviceAnswer
    ) async throws(Refusal) -> DeviceAnswer {
        do {
            return try await answer()
        } catch {
            throw .device(error)
        }
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
