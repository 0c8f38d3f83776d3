import ResponderCore
import HTTPTypes
import Hummingbird
import LightningCoding
import Contracts

/// Health and readiness for supervisors and load balancers.
struct HealthRoutes: Sendable {
    let backends: [BackendName: any ReceiveBackend]
    let knownNodes: KnownNodes
    let watch: SettlementWatch
    let probe: LedgerProbe

    func add(to router: AdminRouter) {
        router.addOpen("/health/live") { .json(["status": "ok"], headers: JSONHeaders.admin) }
        router.addOpen("/health/ready") { await readiness() }
    }

    /// Ready when the ledger accepts writes and every backend answers and reports its payments. When the ledger fails,
    /// the state of the nodes is unknown and none is blamed. Needs no token, so it writes only what `LedgerProbe`
    /// allows.
    private func readiness() async -> Response {
        let ledger = await probe.state()
        var parts: JSONObject = ["ledger": .string(ledger.words)]
        for (name, backend) in backends.sorted(by: { $0.key.description < $1.key.description }) {
            let words = ledger == .works ? await state(of: backend, named: name) : "not checked while the ledger fails"
            parts.append("backend \(name)", .string(words))
        }
        let isReady = parts.members.allSatisfy { $0.value == "ok" }
        return .json(
            ["status": isReady ? "ok" : "degraded", "parts": .object(parts)],
            status: isReady ? .ok : .serviceUnavailable,
            headers: JSONHeaders.admin
        )
    }

    private func state(of backend: any ReceiveBackend, named name: BackendName) async -> String {
        do {
            let node = try await knownNodes.current(backend, named: name)
            guard watch.isWorking(name) else {
                return watch.isHeldUpByLedger(name)
                    ? "its payments wait for the ledger" : "does not report its payments"
            }
            return node.isSynchronised ? "ok" : "is not synchronised with its chain"
        } catch .ledger(let fault) {
            return fault.reason
        } catch .backend(_, let fault) {
            return fault.reason
        } catch {
            return error.operatorReason
        }
    }
}
