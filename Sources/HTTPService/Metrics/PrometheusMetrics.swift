public import CoreMetrics
import Platform

/// A swift-metrics factory that writes Prometheus' text format.
///
/// Counters, timers (as histograms of seconds) and meters; a recorder is a meter or a histogram in its own unit.
public final class PrometheusMetrics: MetricsFactory {
    private let series = Guarded<[SeriesName: any PrometheusSeries]>([:])

    /// Creates an empty registry.
    public init() {}

    /// The page for scraping: one block per metric, in alphabetical order.
    public func page() -> String {
        let all = series.withLock { Array($0) }.sorted { $0.key < $1.key }
        var text = ""
        var metric = ""
        for (name, series) in all {
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

    /// A counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        make(label, dimensions) { PrometheusCounter() }
    }

    /// A gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        make(label, dimensions) { PrometheusGauge() }
    }

    /// A gauge or, when aggregated, a histogram.
    public func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        aggregate
            ? make(label, dimensions) { PrometheusHistogram(bounds: PrometheusHistogram.sizes) }
            : make(label, dimensions) { PrometheusGauge() }
    }

    /// A histogram of durations, in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        make(label, dimensions) { PrometheusHistogram(bounds: PrometheusHistogram.seconds) }
    }

    /// Series live as long as the process.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Series live as long as the process.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Series live as long as the process.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Series live as long as the process.
    public func destroyTimer(_ handler: any TimerHandler) {}
}
