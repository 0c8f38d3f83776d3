package import CoreMetrics
package import Devices
import LightningCoding
import Platform

package struct DeviceObserving: Sendable {
    private let metrics: any MetricsFactory

    package init(metrics: any MetricsFactory) {
        self.metrics = metrics
    }

    @Sendable package func note(_ event: DeviceSender.Event) {
        switch event {
        case .addressDropped: count("responder_device_addresses_dropped_total")
        case .told(let isSilent):
            count("responder_device_messages_total", [("way", isSilent ? "silent" : "alert")])
        case .catchUp: count("responder_device_catch_ups_total")
        case .acknowledged(let outcome, let seconds):
            count("responder_device_acknowledgements_total", [("outcome", outcome.rawValue)])
            Timer(label: "responder_device_acknowledgement_seconds", factory: metrics).recordSeconds(
                Int64(clamping: seconds))
        case .alerted: count("responder_device_fallback_alerts_total")
        }
    }

    private func count(_ label: String, _ dimensions: [(String, String)] = []) {
        Counter(label: label, dimensions: dimensions, factory: metrics).increment()
    }
}
