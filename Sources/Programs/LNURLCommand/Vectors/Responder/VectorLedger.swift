import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderCore
import ResponderModel

/// The ledger of a case of the responder's vectors. It exists only for that case.
final class VectorLedger: ResponderLedger {
    let observers = Observers<LedgerFact>()
    struct State: Sendable {
        var account: Account
        /// The texts of the account, version 1 first.
        var versions: [(text: String, since: UnixTime)]
        var invoices: [PaymentHash: IssuedInvoice] = [:]
        var answered: [RequestDigest: PaymentHash] = [:]
        var offers: [OfferID: IssuedOffer] = [:]
    }

    private let state: Guarded<State>

    init(_ state: State) {
        self.state = Guarded(state)
    }

    func account(named name: AccountID) async throws(LedgerFault) -> Account? {
        state.withLock { $0.account.id == name ? $0.account : nil }
    }

    func version(_ number: UInt64, of name: AccountID) async throws(LedgerFault) -> AccountVersion? {
        state.withLock { state in
            guard state.account.id == name, let index = Int(exactly: number), state.versions.indices ~= index - 1
            else {
                return nil
            }
            return AccountVersion(
                number: number, metadata: state.versions[index - 1].text, payerData: state.account.settings.payerData)
        }
    }

    func metadata(of name: AccountID, standingAt moment: UnixTime) async throws(LedgerFault) -> StandingMetadata? {
        state.withLock { state in
            guard state.account.id == name, !state.versions.isEmpty else { return nil }
            let index = state.versions.lastIndex { $0.since <= moment } ?? 0
            let next = index + 1
            return StandingMetadata(
                version: UInt64(next), text: state.versions[index].text,
                replacedAt: state.versions.indices ~= next ? state.versions[next].since : nil)
        }
    }

    func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault) {
        let isNew: Bool = state.withLock { state in
            guard state.invoices[invoice.paymentHash] == nil else { return false }
            state.invoices[invoice.paymentHash] = invoice
            switch claim {
            case .request(let request): state.answered[request] = invoice.paymentHash
            case .offer(let offer): if let request = offer.request { state.answered[request] = invoice.paymentHash }
            case .challenge, nil: break
            }
            return true
        }
        guard isNew else { throw .duplicateInvoice }
    }

    func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault? { nil }

    func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice? {
        state.withLock { state in
            state.answered[request].flatMap { state.invoices[$0] }.flatMap { $0.state(at: now) == .open ? $0 : nil }
        }
    }

    func invoice(_ paymentHash: PaymentHash, createdAt: UnixTime?) async throws(LedgerFault) -> IssuedInvoice? {
        state.withLock { $0.invoices[paymentHash] }
    }

    func putOffer(_ offer: IssuedOffer) async throws(LedgerFault) -> IssuedOffer {
        state.withLock { $0.offers[offer.offer.id] = offer }
        return offer
    }

    func offer(_ id: OfferID) async throws(LedgerFault) -> IssuedOffer? { state.withLock { $0.offers[id] } }
}

/// Requirements that no notification uses.
extension VectorLedger {
    private static let notAsked = LedgerFault.storage("no notification asks for this")

    func domains() async throws(LedgerFault) -> [Domain] { throw Self.notAsked }
    func domain(_ name: DomainName) async throws(LedgerFault) -> Domain? { throw Self.notAsked }
    func putDomain(
        at publicURL: PublicURL, _ settings: DomainSettings, expecting revision: UInt64?
    ) async throws(LedgerFault) -> Domain { throw Self.notAsked }
    func putMainDomain(
        at publicURL: HTTPURL, replacing former: PublicURL?
    ) async throws(LedgerFault) -> Domain { throw Self.notAsked }
    func removeDomain(_ name: DomainName) async throws(LedgerFault) -> Bool { throw Self.notAsked }
    func accounts() async throws(LedgerFault) -> [Account] { throw Self.notAsked }
    func accountsRevision() async throws(LedgerFault) -> UInt64 { throw Self.notAsked }
    func accountsRevision(otherThan known: UInt64) async throws(LedgerFault) -> UInt64 { throw Self.notAsked }
    func putAccount(
        named name: AccountID, settings: AccountSettings, metadata: String, at now: UnixTime,
        expecting revision: UInt64?
    ) async throws(LedgerFault) -> Account { throw Self.notAsked }
    func removeAccount(named name: AccountID) async throws(LedgerFault) -> Bool { throw Self.notAsked }
    func isUsed(_ challenge: UsedChallenge) async throws(LedgerFault) -> Bool { throw Self.notAsked }
    func openInvoices(
        of account: AccountID, at now: UnixTime, countingTo limit: UInt64
    ) async throws(LedgerFault) -> OpenInvoices { throw Self.notAsked }
    func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> InvoicePage { throw Self.notAsked }
    func record(
        _ settlement: Settlement, issuedAt: UnixTime?, from backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) -> IssuedInvoice? { throw Self.notAsked }
    func record(
        _ settlement: RecordedSettlement, of paymentHash: PaymentHash, issuedAt: UnixTime?, from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice? { throw Self.notAsked }
    func pass(
        to cursor: SettlementCursor, of backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) { throw Self.notAsked }
    func pass(
        over skipped: UnreadableSettlement, of backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) { throw Self.notAsked }
    func skippedSettlements(limit: Int) async throws(LedgerFault) -> [SkippedSettlement] { throw Self.notAsked }
    func cursor(of backend: BackendName) async throws(LedgerFault) -> SettlementCursor? { throw Self.notAsked }
    func forgetCursor(of backend: BackendName, under lease: Lease) async throws(LedgerFault) { throw Self.notAsked }
    func noteFollowing(
        _ backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) { throw Self.notAsked }
    func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan? { throw Self.notAsked }
    func bind(_ backend: BackendName, to node: PublicKey) async throws(LedgerFault) {}
    func unbind(_ backend: BackendName) async throws(LedgerFault) -> Bool { throw Self.notAsked }
    func prune(before now: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int { throw Self.notAsked }
    func add(_ work: OutboxWork, upTo most: Int) async throws(LedgerFault) -> Bool { throw Self.notAsked }
    func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice] { throw Self.notAsked }
    func forgetExpired(
        _ paymentHashes: [PaymentHash], issuedIn span: ClosedRange<UnixTime>, before moment: UnixTime,
        under lease: Lease
    ) async throws(LedgerFault) -> Int { throw Self.notAsked }
    func offers(of account: AccountID?) async throws(LedgerFault) -> [IssuedOffer] { throw Self.notAsked }
    func disableOffer(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool { throw Self.notAsked }
    func noteDisabledAtNode(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool { throw Self.notAsked }
}
