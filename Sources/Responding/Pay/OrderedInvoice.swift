import Bolt11
import Receiving

/// A backend's invoice that is what was ordered. It leaves when the ledger and the node have both written it down.
struct OrderedInvoice: Sendable {
    let contents: UnverifiedBolt11Invoice
    let begun: BegunInvoice
    let backend: BackendName

    /// Returns when the node has.
    func kept() async throws(Refusal) {
        do {
            try await begun.kept()
        } catch {
            throw .unavailable(.backend(backend, error))
        }
    }
}
