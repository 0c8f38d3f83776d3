import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import ResponderCore
import ResponderModel

/// Lists and shows invoices, and settles those of the embedded node.
struct InvoiceRoutes: Sendable {
    let ledger: any InvoiceLedger
    let directory: AccountDirectory
    let settlement: SettlementOnCommand?
    let clock: WallClock

    func add(to router: AdminRouter) {
        router.add(.get, "/invoices") { request, _ throws(AdminFault) in try await list(request) }
        router.add(.get, "/invoices/{hash}") { _, context throws(AdminFault) in
            try await invoice(context.paymentHash()).json(at: clock())
        }
        guard let settlement else { return }
        router.add(.post, "/invoices/{hash}/settle") { _, context throws(AdminFault) in
            try await settle(invoice(context.paymentHash()), settlement, context.logger)
        }
    }

    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        let query = try await query(request)
        return try await AdminFault.asking(await ledger.invoices(query))
            .json(as: "invoices") { $0.json(at: query.now) }
    }

    /// `account`, `state`, `limit`, and `after`: the `next` of the previous page.
    private func query(_ request: Request) async throws(AdminFault) -> InvoiceQuery {
        var query = InvoiceQuery(now: clock())
        for (name, value) in try request.filters() {
            switch ExactText(name) {
            case "account": query.account = try await directory.account(filter: value)
            case "state": query.state = try IssuedInvoice.State(filter: value)
            case "limit": query.limit = try Int(filter: value)
            case "after": query.after = try PageMark(filter: value)
            default: throw .badRequest("unknown filter \(name)")
            }
        }
        return query
    }

    private func invoice(_ paymentHash: PaymentHash) async throws(AdminFault) -> IssuedInvoice {
        let invoice = try await AdminFault.asking(await ledger.invoice(paymentHash))
        guard let invoice else { throw .notFound("no invoice with that payment hash was issued") }
        return invoice
    }

    private func settle(
        _ invoice: IssuedInvoice,
        _ settlement: SettlementOnCommand,
        _ logger: Logger
    ) async throws(AdminFault) -> JSONValue {
        try await awaiting(await settlement.settle(invoice)) { (fault: SettlementFault) in AdminFault(fault) }
        logger.info("invoice settled on command", metadata: ["payment-hash": "\(invoice.paymentHash)"])
        return ["settled": .string(invoice.paymentHash.hexadecimal)]
    }
}

extension ServiceContext {
    fileprivate func paymentHash() throws(AdminFault) -> PaymentHash {
        let text = try parameter("hash")
        guard let hash = try? PaymentHash(hexadecimal: text) else {
            throw .badRequest("a payment hash has 64 hexadecimal digits")
        }
        return hash
    }
}

extension IssuedInvoice.State {
    fileprivate init(filter text: String) throws(AdminFault) {
        guard let state = Self(exactly: text) else {
            throw .badRequest("state must be " + Self.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self = state
    }
}

extension Int {
    init(filter text: String) throws(AdminFault) {
        guard let limit = Int(text), (1...1000).contains(limit) else {
            throw .badRequest("limit must be between 1 and 1000")
        }
        self = limit
    }
}

extension PageMark {
    init(filter text: String) throws(AdminFault) {
        guard let position = Int64(text), position >= 0 else {
            throw .badRequest("after must be the `next` of the previous page")
        }
        self.init(position: position)
    }
}
