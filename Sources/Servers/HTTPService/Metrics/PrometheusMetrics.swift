package import CoreMetrics
import Platform
import ResponderCore
import ResponderModel

/// A swift-metrics factory that writes Prometheus' text format.
///
/// Counters, timers (as histograms of seconds) and meters; a recorder is a meter or a histogram in its own unit.
package final class PrometheusMetrics: MetricsFactory {
    private let series = Guarded<[SeriesName: any PrometheusSeries]>([:])

    package init() {}

    /// The page for scraping: one block per metric, in alphabetical order.
    package func page() -> String {
        let all = series.withLock { Array($0) }.sorted { $0.key < $1.key }
        var text = ""
        var metric = ""
        for (name, series) in all where !series.isEmpty {
            if name.metric != metric {
                metric = name.metric
                text += "# TYPE \(metric) \(series.type)\n"
            }
            series.write(as: name, to: &text)
        }
        return text
    }

    private func make<Series: PrometheusSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ create: () -> Series
    ) -> Series {
        let name = SeriesName(metric: label, labels: dimensions)
        let created = create()
        return series.withLock { series in
            if let known = series[name] as? Series { return known }
            series[name] = created
            return created
        }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        make(label, dimensions) { PrometheusCounter() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        make(label, dimensions) { PrometheusGauge() }
    }

    /// A gauge or, when aggregated, a histogram.
    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        aggregate
            ? make(label, dimensions) { PrometheusHistogram(bounds: PrometheusHistogram.sizes) }
            : make(label, dimensions) { PrometheusGauge() }
    }

    /// A histogram of durations, in seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        make(label, dimensions) { PrometheusHistogram(bounds: PrometheusHistogram.seconds) }
    }

    /// Series live as long as the process.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Series live as long as the process.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Series live as long as the process.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Series live as long as the process.
    package func destroyTimer(_ handler: any TimerHandler) {}
}

extension PrometheusMetrics {
    /// Sets the gauges of an instance.
    func update(_ instance: ServiceInstance, _ watch: SettlementWatch) {
        Meter(label: "responder_instances", factory: self).set(instance.alive)
        for (name, isHeld) in instance.leases {
            Meter(label: "responder_lease_held", dimensions: [("lease", name.text)], factory: self).set(isHeld ? 1 : 0)
        }
        for (name, isWorking) in watch.states {
            Meter(label: "responder_settlements_followed", dimensions: [("backend", "\(name)")], factory: self)
                .set(isWorking && instance.holds(.following(name)) ? 1 : 0)
        }
    }
}

extension LedgerStatistics {
    var page: String {
        """
        # TYPE responder_ledger_commit_longest_seconds gauge
        responder_ledger_commit_longest_seconds \(longest / .seconds(1))
        # TYPE responder_ledger_commit_seconds_total counter
        responder_ledger_commit_seconds_total \(time / .seconds(1))
        # TYPE responder_ledger_commits_total counter
        responder_ledger_commits_total \(commits)
        # TYPE responder_ledger_writes_total counter
        responder_ledger_writes_total \(writes)

        """
    }
}
