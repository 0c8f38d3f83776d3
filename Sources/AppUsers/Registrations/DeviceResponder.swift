import Bolt11
package import Bolt12
package import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderCore
package import ResponderModel

/// Answers payers of app users from their devices.
package struct DeviceResponder: ResponderDirectory.Answerer {
    let ledger: any RegistrationLedger
    /// The accounts, which go before app users, and the domains.
    package let accounts: AccountDirectory
    let channel: ReplyChannel
    let marks: VerifyMarks

    /// The longest comment that is passed on, in characters; devices allow fewer.
    package static let commentAllowed = 1000

    /// Creates an answerer.
    ///
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

    /// For `ResponderDirectory`: devices answer for the names that are registered.
    package var choice: ResponderDirectory.Choice {
        { name throws(Refusal.Cause) in
            do throws(LedgerFault) {
                return try await answers(for: name) ? self : nil
            } catch {
                throw .ledger(error)
            }
        }
    }

    /// Whether a device answers for a name. A name of an account is the account's, whoever is registered.
    package func answers(for name: AccountID) async throws(LedgerFault) -> Bool {
        try await owner(of: name) != nil
    }

    /// The key that has registered a name; nil for a name of an account, and for one that is not registered.
    package func owner(of name: AccountID) async throws(LedgerFault) -> PublicKey? {
        guard try await accounts.account(named: name) == nil else { return nil }
        return try await ledger.registration(named: name)?.id.key
    }

    /// The limits and metadata. Devices know no tags (LUD-16): what follows the `+` is ignored.
    package func payRequest(for recipient: Recipient) async throws(Refusal) -> PayRequest {
        try await payRequest(of: try await device(named: recipient.account))
    }

    /// An invoice that commits to the metadata that the version tells of.
    package func payInvoice(
        for recipient: Recipient, version: UInt64?, query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice {
        try await payInvoice(of: try await device(named: recipient.account), version: version, query: query)
    }

    /// Whether an invoice has been paid. Where verify URLs of accounts have a time, those of devices have a mark.
    package func verify(
        _ paymentHash: PaymentHash, of account: AccountID, createdAt: UnixTime?
    ) async throws(Refusal) -> VerifyResponse {
        try await verify(paymentHash, marked: createdAt?.seconds, at: try await device(named: account))
    }

    /// A BOLT12 invoice. The request is checked before the device is woken.
    package func invoice(
        answering bytes: [UInt8], to offer: Offer?, for account: AccountID, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice {
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
        let answer = try await awaiting(await answer(to: question, device), as: RequestRefusal.device)
        guard case .offered(let invoice) = answer else { throw .device(.unusable) }
        guard try await awaiting(await !isPaid(invoice.paymentHash, device), as: RequestRefusal.unavailable) else {
            throw .device(.unusable)
        }
        return invoice
    }

    /// Whether an invoice is known to be paid: whoever pays it again may lose the money, since its preimage is known.
    func isPaid(_ paymentHash: PaymentHash, _ device: Device) async throws(Refusal.Cause) -> Bool {
        try await Refusal.Cause.asking(await ledger.paidInvoice(paymentHash, of: device.registration.id))
            != nil
    }
}

extension DeviceResponder {
    /// A registration, and the name by which its payers know it: its own, or the key.
    package struct Device: Sendable {
        let registration: Registration
        let domain: Domain
        /// As in the paths.
        let name: String

        /// Whose questions are counted: the name's or, where there is none, those of the key, without its first byte to be
        /// as short as a name.
        package var account: AccountID {
            let digits = registration.id.key.hexadecimal.dropFirst(2)
            return registration.account
                ?? AccountID((try? AddressName(digits)) ?? .root, at: registration.id.domain)
        }

        var base: HTTPURL { domain.base(of: registration.name ?? .root) }
    }

    /// The device of a name.
    package func device(named account: AccountID) async throws(Refusal) -> Device {
        let found = try await Refusal.asking(await ledger.registration(named: account))
        return try await device(found) { $0.shownName(of: account.name).text }
    }

    /// The device of a key.
    package func device(_ id: RegistrationID) async throws(Refusal) -> Device {
        try await device(try await Refusal.asking(await ledger.registration(id))) { _ in id.key.hexadecimal }
    }

    private func device(
        _ registration: Registration?, named name: (Domain) -> String
    ) async throws(Refusal) -> Device {
        guard let registration else { throw .unknownAccount }
        guard let domain = try await Refusal.asking(await accounts.domains())[registration.id.domain] else {
            throw .unknownAccount
        }
        return Device(registration: registration, domain: domain, name: name(domain))
    }
}
