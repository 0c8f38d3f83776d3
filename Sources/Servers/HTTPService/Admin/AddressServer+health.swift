import HTTPTypes
import Hummingbird
import LightningCoding
import ResponderCore
import ResponderModel

extension AddressServer {
    /// Health for supervisors, readiness for load balancers, and the state of everything that the service needs.
    func addHealth(to router: AdminRouter) {
        router.addOpen("/health/live") { .json(["status": "ok"], headers: JSONHeaders.admin) }
        router.addOpen("/health/ready") { readiness }
        router.addOpen("/health/parts") { await partsHealth() }
    }

    /// Ready from the moment at which domains and addresses are in the ledger until it drains. What all instances share does not count: a node that is down must not take every instance
    /// from the load balancer, which would answer payers with a page of its own.
    private var readiness: Response {
        let words =
            draining.isDraining
            ? "draining" : !parts.instance.isOpen ? "starting" : parts.ledgerClock.isWrong ? "wrong clock" : "ok"
        return .json(
            ["status": .string(words)], status: words == "ok" ? .ok : .serviceUnavailable, headers: JSONHeaders.admin)
    }

    /// Whether the ledger accepts writes, and every backend answers and has its payments recorded. When the ledger fails,
    /// the state of the nodes is unknown and none is blamed. Needs no token, so it writes only what `LedgerProbe`
    /// allows.
    private func partsHealth() async -> Response {
        let state = await probe.state()
        let holders = state == .works ? await self.holders() : [:]
        var states: JSONObject = ["ledger": .string(state.words)]
        for (name, backend) in parts.backends.sorted(by: { $0.key.description < $1.key.description }) {
            let words =
                state == .works
                ? await words(on: backend, named: name, followedBy: holders[.following(name)])
                : "not checked while the ledger fails"
            states.append("backend \(name)", .string(words))
        }
        let isWhole = states.members.allSatisfy { $0.value == "ok" }
        var leases: JSONObject = [:]
        for (name, holder) in holders.sorted(by: { $0.key.text < $1.key.text }) {
            leases.append(name.text, .string(holder.text))
        }
        return .json(
            [
                "status": isWhole ? "ok" : "degraded", "parts": .object(states),
                "instance": .string(parts.instance.id.text),
                "leases": .object(leases),
            ],
            status: isWhole ? .ok : .serviceUnavailable,
            headers: JSONHeaders.admin
        )
    }

    /// Who holds which lease, on whatever instance.
    private func holders() async -> [LeaseName: InstanceID] {
        let instances = (try? await parts.ledger.instances()) ?? []
        return instances.reduce(into: [:]) { holders, instance in
            for name in instance.leases { holders[name] = instance.record.id }
        }
    }

    private func words(
        on backend: any ReceiveBackend, named name: BackendName, followedBy holder: InstanceID?
    ) async -> String {
        do {
            let node = try await parts.responder.knownNodes.current(backend, named: name)
            guard let holder else { return "no instance records its payments" }
            guard holder != parts.instance.id || watch.isWorking(name) else {
                return watch.isHeldUpByLedger(name)
                    ? "its payments wait for the ledger" : "does not report its payments"
            }
            return node.isSynchronized ? "ok" : "is not synchronized with its chain"
        } catch .ledger(let fault) {
            return fault.reason
        } catch .backend(_, let fault) {
            return fault.reason
        } catch {
            return error.operatorReason
        }
    }
}
