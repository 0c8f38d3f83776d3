package import LNURL
package import LightningCoding
package import LightningCrypto

/// The registrations of app users. In each domain, a name belongs to one account or to one registration.
package protocol RegistrationLedger: Sendable {
    /// Carries an order out, as `RegistrationRules` decide, in one transaction: of several at once each sees what those
    /// before it have done.
    ///
    /// - Returns: the registration of the key that has signed, as it is then.
    func carryOut(
        _ order: RegistrationOrder, under rules: RegistrationRules, at now: UnixTime
    ) async throws(RegistrationFault) -> Registration?

    func registration(_ id: RegistrationID) async throws(LedgerFault) -> Registration?

    func registration(named account: AccountID) async throws(LedgerFault) -> Registration?

    func nameState(of account: AccountID) async throws(LedgerFault) -> NameState

    /// A page of registrations, newest first.
    func registrations(_ query: RegistrationQuery) async throws(LedgerFault) -> Page<Registration>

    /// Deletes a registration and everything that belongs to it; false when there is none.
    ///
    /// - Parameter holdsName: whether its name is held for its owner; else it is free at once.
    func removeRegistration(_ id: RegistrationID, holdsName: Bool, at now: UnixTime) async throws(LedgerFault) -> Bool

    /// Keeps a name from everybody, in place of its last owner; one that is an account's or registered stays so.
    ///
    /// - Throws: `unknownDomain`.
    func reserve(_ name: AccountID, at now: UnixTime) async throws(LedgerFault)

    /// Releases a name that is reserved or held; false when it is neither.
    func freeName(_ name: AccountID) async throws(LedgerFault) -> Bool

    /// The names that `reserve` keeps from everybody, by domain and name.
    func reservedNames() async throws(LedgerFault) -> [AccountID]

    /// Remembers the preimage that a device has told of a paid invoice, as long as its registration exists, up to a limit.
    func keep(_ paid: PaidInvoice, of id: RegistrationID, at now: UnixTime) async throws(LedgerFault)

    /// What is remembered of an invoice that was paid, or nil.
    func paidInvoice(_ paymentHash: PaymentHash, of id: RegistrationID) async throws(LedgerFault) -> PaidInvoice?

    /// Deletes what is over; returns how many. Of registrations, up to ``RegistrationRetention/batch`` at once.
    ///
    /// - Throws: `leaseLost`, and then nothing is deleted.
    func pruneRegistrations(
        _ retention: RegistrationRetention, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) -> Int

    /// Where instances hand each other the replies of devices; nil when there is only one.
    var sharedReplies: (any SharedReplies)? { get }
}

extension RegistrationLedger {
    package func registration(of recipient: Recipient) async throws(LedgerFault) -> Registration? {
        switch recipient {
        case .name(let localPart, let domain): try await registration(named: AccountID(localPart.name, at: domain))
        case .key(let id): try await registration(id)
        }
    }
}

package enum RegistrationFault: Error, Hashable, Sendable {
    case refused(RegistrationRefusal)
    case ledger(LedgerFault)
}

package struct RegistrationQuery: Hashable, Sendable {
    package var domain: DomainName?
    package var limit: Int
    package var after: PageMark?

    package init(domain: DomainName? = nil, limit: Int = 100, after: PageMark? = nil) {
        self.domain = domain
        self.limit = limit
        self.after = after
    }
}

/// How long what belongs to registrations is kept, in seconds.
package struct RegistrationRetention: Hashable, Sendable {
    /// A registration that its wallet does not renew; its name is then held. nil for ever.
    package var lifetime: UInt64?
    /// A name for its last owner; nil for ever.
    package var hold: UInt64?
    /// A paid invoice.
    package var paid: UInt64 = 90 * 86_400

    /// How many registrations one call deletes at most.
    package static let batch = 1000

    package init(lifetime: UInt64? = nil, hold: UInt64? = nil) {
        self.lifetime = lifetime
        self.hold = hold
    }
}

package struct PaidInvoice: Equatable, Sendable {
    package let paymentHash: PaymentHash
    package let preimage: Preimage
    package let bolt11: String

    /// The most of one registration that a ledger keeps; beyond that the oldest go.
    package static let maximumCount = 1_000

    package init(paymentHash: PaymentHash, preimage: Preimage, bolt11: String) {
        self.paymentHash = paymentHash
        self.preimage = preimage
        self.bolt11 = bolt11
    }
}
