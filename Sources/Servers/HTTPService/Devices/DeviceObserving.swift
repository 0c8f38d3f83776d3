package import CoreMetrics
import Devices
import LightningCoding
import Platform

/// Counts what becomes of messages and wakes of registered devices.
package struct DeviceObserving: Sendable {
    private let metrics: any MetricsFactory

    /// What is counted.
    enum Event {
        /// A provider has said that an address has gone.
        case addressDropped
        /// A provider has accepted a message for a device.
        case told(isSilent: Bool)
        /// A device that must catch up was sent a silent push message.
        case catchUp
        /// A device has said what came of a wake, so many seconds after it was ordered.
        case acknowledged(WakeAcknowledgement.Outcome, afterSeconds: UInt64)
        /// An alert followed on a wake.
        case alerted
    }

    package init(metrics: any MetricsFactory) {
        self.metrics = metrics
    }

    func note(_ event: Event) {
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
