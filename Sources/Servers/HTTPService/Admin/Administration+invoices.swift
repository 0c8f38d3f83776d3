import Hummingbird
import HummingbirdCore
import LightningCoding
import LightningCrypto
import Logging
import ResponderCore
import ResponderModel

extension Administration {
    /// Lists and shows invoices, and settles those of the embedded node.
    func addInvoices(to router: AdminRouter) {
        router.add(.get, "/invoices") { request, _ throws(AdminFault) in try await list(request) }
        router.add(.get, "/invoices/{hash}") { _, context throws(AdminFault) in
            try await invoice(context.paymentHash()).json(at: clock())
        }
        guard let settlement else { return }
        router.add(.post, "/invoices/{hash}/settle") { _, context throws(AdminFault) in
            try await settle(invoice(context.paymentHash()), settlement, context.logger)
        }
    }

    /// `account`, `state`, `limit` and `after`.
    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        let filters = try request.filters("account", "state")
        var query = InvoiceQuery(now: clock(), after: try filters.mark, limit: try filters.limit)
        query.account = try await directory.account(in: filters)
        query.state = try filters["state"].map { text throws(AdminFault) in try IssuedInvoice.State(filter: text) }
        return try await AdminFault.asking(await ledger.invoices(query))
            .json(as: "invoices") { $0.json(at: query.now) }
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
