import Responding
import HTTPTypes
import Hummingbird
import LightningCoding
import Receiving

/// Tells supervisors and load balancers how things stand.
struct HealthRoutes: Sendable {
    let responder: Responder
    let backends: [BackendName]
    let watch: SettlementWatch

    func add(to door: AdminDoor) {
        door.addOpen("/health/live") { .json(["status": "ok"], headers: JSONHeaders.admin) }
        door.addOpen("/health/ready") { await readiness() }
    }

    /// Ready when the ledger can be read, and every backend answers and tells of its payments. Whoever asks needs no token, so
    /// nothing is written.
    private func readiness() async -> Response {
        var parts: JSONObject = ["ledger": .string(await ledgerState())]
        for name in backends.sorted(by: { $0.description < $1.description }) {
            parts.append("backend \(name)", .string(await state(of: name)))
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
            _ = try await responder.ledger.accountsRevision()
            return "ok"
        } catch {
            return error.reason
        }
    }

    private func state(of name: BackendName) async -> String {
        do {
            let node = try await responder.currentNode(named: name)
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
