import Bolt11
import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import ResponderModel

/// Answers the payers of an account, which was looked up already, from our own nodes.
///
/// Without an account it refuses whatever is asked, except whether an invoice of a removed account has been paid.
struct AccountResponder: PayResponder {
    let responder: Responder
    let recipient: Recipient
    let found: Account?

    var kind: RecipientKind { found == nil ? .unknown : .account }
    var account: AccountID? { recipient.account }

    private func existing() throws(Refusal) -> Account {
        guard let found else { throw .unknownAccount }
        return found
    }

    /// Without a notification the callback's token is the version of the account, so that the invoice commits to the text that
    /// this payer saw.
    func payRequest(for payer: Payer) async throws(Refusal) -> (request: PayRequest, maxAge: UInt64?) {
        let account = try existing()
        let limits = try await responder.payee(account).limits
        var (metadata, maxAge) = (account.metadata.tagged(for: recipient), nil as UInt64?)
        if let notified = payer.notified {
            let shown = try await responder.metadataShown(of: account, cachedFor: notified.lifetime)
            (metadata, maxAge) = (shown.text, shown.maxAge)
        }
        do {
            let request = try PayRequest(
                callback: PayPaths.callback(
                    of: shown(account), token: PayToken(account.version),
                    at: account.domain.base(of: account.name)),
                minSendable: limits.minimum,
                maxSendable: limits.maximum,
                metadata: metadata,
                commentAllowed: account.settings.commentAllowed,
                payerData: payer.notified == nil ? try payerDataSpec(of: account) : nil
            )
            return (request, maxAge)
        } catch let fault as LNURLFault {
            throw .unavailable(.answer(fault))
        } catch {
            throw .unavailable(.randomness)
        }
    }

    private func shown(_ account: Account) -> PayPaths.Recipient {
        let name = account.domain.shownName(of: account.name)
        guard case .name(let localPart, _) = recipient else { return .name(LocalPart(name: name)) }
        return .name(localPart.renamed(name))
    }

    private func payerDataSpec(of account: Account) throws(CryptoFault) -> PayerDataSpec? {
        var spec = account.settings.payerData
        guard !spec.requirements.isEmpty else { return nil }
        if spec[.auth] != nil {
            spec.k1 = try Challenge.mint(
                for: account.id.text,
                at: responder.clock(),
                nonce: try responder.random(Challenge.nonceCount),
                key: responder.settings.challengeKey
            )
        }
        return spec
    }

    /// The version shown to the payer decides: its text, and the payer data that it requested. By a notification, a repeated
    /// request gets the same invoice, unless the account was removed meanwhile.
    func payInvoice(
        _ query: CallbackQuery, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> (invoice: PayInvoice, paymentHash: PaymentHash) {
        let account = try existing()
        guard let request = payer.notified?.request else {
            return try await issued(query, token, for: payer, of: account)
        }
        return try await responder.invoicesInFlight.invoice(
            for: AccountRequest(account: account.id, digest: request),
            earlier: { () async throws(Refusal) in try await earlier(request) },
            issuing: { () async throws(Refusal) in try await issued(query, token, for: payer, of: account) })
    }

    private typealias Issued = (invoice: PayInvoice, paymentHash: PaymentHash)

    /// The invoice that was issued for the same request before, while it can be paid.
    private func earlier(_ request: RequestDigest) async throws(Refusal) -> Issued? {
        guard let earlier = try await Refusal.asking(await responder.ledger.answer(to: request, at: responder.clock())),
            earlier.account == account
        else { return nil }
        guard let text = earlier.bolt11 else { throw .unknownInvoice }
        return (PayInvoice(pr: text), earlier.paymentHash)
    }

    private func issued(
        _ query: CallbackQuery, _ token: PayToken?, for payer: Payer, of account: Account
    ) async throws(Refusal) -> Issued {
        let shown = try await version(token, for: payer, of: account)
        let settings = account.settings
        let payee = try await responder.payee(account)
        try payee.check(query.amount)
        try payee.check(comment: query.comment)
        // Only if it was requested: a stray parameter must not change what strict wallets compare.
        let payerData = shown.payerData.requirements.isEmpty ? nil : query.payerData
        let challenge = try await challenge(in: query.payerData, against: shown.payerData, of: account)

        let commitsToData = responder.settings.payerDataCommitment == .metadataAndPayerData
        let order = try responder.order(
            query.amount,
            .hashed(shown.metadata.tagged(for: recipient) + (commitsToData ? payerData ?? "" : "")),
            expiry: settings.invoiceExpiry,
            withPreimage: settings.successAction.needsPreimage)
        let words = InvoiceOrigin.PayerWords(
            metadataVersion: shown.number, tag: recipient.tag, comment: query.comment, payerData: payerData)
        let claim = challenge.map(InvoiceClaim.challenge) ?? payer.notified?.request.map(InvoiceClaim.request)
        return try await responder.issuer.issue(order, for: payee, claiming: claim) {
            invoice, createdAt throws(Refusal) in
            let answer = PayInvoice(
                pr: invoice.text,
                verify: PayPaths.verify(
                    invoice.paymentHash, of: .name(LocalPart(name: account.domain.shownName(of: account.name))),
                    token: PayToken(createdAt.seconds), at: account.domain.base(of: account.name)),
                disposable: false,
                successAction: payer.notified == nil ? try successAction(of: account, order) : nil
            )
            return ((answer, invoice.paymentHash), .lnurl(words))
        }
    }

    /// What this payer was shown.
    private func version(
        _ token: PayToken?, for payer: Payer, of account: Account
    ) async throws(Refusal) -> AccountVersion {
        if let notified = payer.notified {
            let shown = try await responder.metadataShown(of: account, cachedFor: notified.lifetime)
            return AccountVersion(number: shown.version, metadata: shown.text, payerData: PayerDataSpec([:]))
        }
        guard let token else { return account.currentVersion }
        guard let version = try await Refusal.asking(await responder.accounts.version(token.number, of: account)) else {
            throw .unknownVersion
        }
        return version
    }

    private func successAction(of account: Account, _ order: InvoiceOrder) throws(Refusal) -> SuccessAction? {
        do {
            switch (account.settings.successAction, order.preimage) {
            case (.none, _), (.secret, nil): return nil
            case (.message(let text), _): return .message(text)
            case (.url(let link), _): return .url(link)
            case (.secret(let secret, let description), let preimage?):
                return .aes(
                    try EncryptedAction.seal(
                        secret,
                        description: description,
                        preimage: preimage,
                        initializationVector: try responder.random(EncryptedAction.initializationVectorCount)
                    )
                )
            }
        } catch let fault as SuccessActionFault {
            throw .unavailable(.successAction(fault))
        } catch {
            throw .unavailable(.randomness)
        }
    }

    /// - Returns: the challenge to consume with the invoice, when the payer answered one.
    private func challenge(
        in payerData: String?, against spec: PayerDataSpec, of account: Account
    ) async throws(Refusal) -> UsedChallenge? {
        guard !spec.requirements.isEmpty else { return nil }
        let data = try rethrowing(PayerData(parsing: payerData, against: spec), as: Refusal.payerData)
        guard let k1 = data.auth?.k1 else { return nil }
        let challenge: UsedChallenge
        do {
            let expiresAt = try k1.check(
                for: account.id.text, at: responder.clock(), key: responder.settings.challengeKey)
            challenge = UsedChallenge(bytes: k1.bytes, expiresAt: expiresAt)
        } catch {
            throw .challenge(error)
        }
        // Checked before the node is called, so that a replay costs no invoice; `record` enforces single use.
        guard try await !Refusal.asking(await responder.ledger.isUsed(challenge)) else { throw .challenge(.used) }
        return challenge
    }

    /// From the ledger, or, where nothing else records payments, from the node. The token is the second in which the invoice was
    /// issued, which helps to find it.
    func verify(
        _ paymentHash: PaymentHash, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> VerifyResponse {
        guard let account else { throw .unknownAccount }
        let invoice = try await responder.invoice(
            paymentHash, of: account, createdAt: token.map { UnixTime($0.number) })
        guard case .lnurl = invoice.origin, let bolt11 = invoice.bolt11 else { throw .unknownInvoice }
        if let settlement = invoice.settlement {
            return VerifyResponse(preimage: settlement.preimage, pr: bolt11)
        }
        if responder.settings.asksNode, case .settled(_, _, let preimage) = try await responder.status(of: invoice),
            preimage.paymentHash == paymentHash
        {
            return VerifyResponse(preimage: preimage, pr: bolt11)
        }
        return VerifyResponse(preimage: nil, pr: bolt11)
    }

    func invoice(
        answering bytes: [UInt8], to offer: Offer?, issued: IssuedOffer?, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        try await responder.invoice(
            answering: bytes, to: offer, issued, for: rethrowing(existing(), as: RequestRefusal.init(_:)),
            arrival: arrival)
    }
}

extension String {
    /// The metadata text that is served and hashed for a recipient: the stored one, with the requested tag.
    fileprivate func tagged(for recipient: Recipient) -> String {
        guard let tag = recipient.tag else { return self }
        return PayMetadata.adding(tag: tag, to: self)
    }
}

extension Recipient {
    fileprivate var tag: String? {
        if case .name(let localPart, _) = self { localPart.tag } else { nil }
    }
}

extension Responder {
    /// The order to the node. The label is the time in seconds, 8 digits of hex, so that indexes of labels grow at
    /// their end, and then 96 random bits.
    func order(
        _ amount: Millisatoshi, _ description: InvoiceOrder.Description, expiry: UInt64, withPreimage: Bool = false
    ) throws(Refusal) -> InvoiceOrder {
        var label = ByteWriter(capacity: 16)
        label.writeUInt32(UInt32(truncatingIfNeeded: clock().seconds))
        do {
            label.write(try random(12))
            return InvoiceOrder(
                amount: amount, description: description, expiry: expiry, label: Hexadecimal.encode(label.bytes),
                preimage: withPreimage ? try Preimage(random: random) : nil)
        } catch {
            throw .unavailable(.randomness)
        }
    }

    /// The text that info and invoice use when the request names no version, since it came by a notification.
    ///
    /// A changed text takes effect when the last cached copy of the old one has expired. Until then both responses use
    /// the old text, and the first response is cacheable only until then.
    ///
    /// - Parameter lifetime: seconds for which the first response may be cached.
    fileprivate func metadataShown(
        of account: Account, cachedFor lifetime: UInt64
    ) async throws(Refusal) -> (version: UInt64, text: String, maxAge: UInt64) {
        // A copy from the second of the change may be valid for one more.
        let delay = lifetime == .max ? lifetime : lifetime + 1
        let now = clock()
        // From the ledger, not from the directory, to see recent changes by other processes.
        let shown = try await Refusal.asking(
            await ledger.metadata(of: account.id, shownAt: UnixTime(now.seconds(since: UnixTime(delay)))))
        guard let shown else { throw .unknownAccount }
        let remaining = shown.replacedAt?.adding(seconds: delay).seconds(since: now)
        return (shown.version, shown.text, min(lifetime, remaining ?? lifetime))
    }
}
