import CoreMetrics
import Contracts
import ResponderCore

/// Metrics of what this instance does among others.
struct InstanceGauges: Sendable {
    let instance: ServiceInstance
    let watch: SettlementWatch
    let metrics: any MetricsFactory

    /// Sets them to what they are now.
    func update() {
        Meter(label: "responder_instances", factory: metrics).set(instance.alive)
        for (name, isHeld) in instance.leases {
            Meter(
                label: "responder_lease_held", dimensions: [("lease", name.text)], factory: metrics
            ).set(isHeld ? 1 : 0)
        }
        for (name, isWorking) in watch.states {
            Meter(
                label: "responder_settlements_followed", dimensions: [("backend", "\(name)")], factory: metrics
            ).set(isWorking && instance.holds(.following(name)) ? 1 : 0)
        }
    }
}
