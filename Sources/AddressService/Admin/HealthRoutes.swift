import Responding
import HTTPTypes
import Hummingbird
import LightningCoding
import Receiving

/// Tells supervisors and load balancers how things stand.
struct HealthRoutes: Sendable {
    let ledger: any Ledger
    let backends: [BackendName: any ReceiveBackend]
    let knownNodes: KnownNodes
    let watch: SettlementWatch

    func add(to door: AdminDoor) {
        door.addOpen("/health/live") { .json(["status": "ok"], headers: JSONHeaders.admin) }
        door.addOpen("/health/ready") { await readiness() }
    }

    /// Ready when the ledger can be read, and every backend answers and tells of its payments. Whoever asks needs no token, so
    /// nothing is written.
    private func readiness() async -> Response {
        var parts: JSONObject = ["ledger": .string(await ledgerState())]
        for (name, backend) in backends.sorted(by: { $0.key.description < $1.key.description }) {
            parts.append("backend \(name)", .string(await state(of: backend, named: name)))
        }
        let isReady = parts.members.allSatisfy { $0.value == "ok" }
        return .json(
            ["status": isReady ? "ok" : "degraded", "parts": .object(parts)],
            status: isReady ? .ok : .serviceUnavailable,
            headers: JSONHeaders.admin
        )
    }

    private func ledgerState() async -> String {
        do {
            _ = try await ledger.accountsRevision()
            return "ok"
        } catch {
            return error.reason
        }
    }

    private func state(of backend: any ReceiveBackend, named name: BackendName) async -> String {
        do {
            let node = try await knownNodes.current(backend, named: name)
            guard watch.isWorking(name) else { return "does not tell of its payments" }
            return node.isSynchronised ? "ok" : "has not caught up with its chain"
        } catch .ledger(let fault) {
            return fault.reason
        } catch .backend(_, let fault) {
            return "\(fault)"
        } catch {
            return "\(error)"
        }
    }
}
