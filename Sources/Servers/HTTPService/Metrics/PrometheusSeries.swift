import CoreMetrics
import Platform

extension MetricsFactory {
    /// A counter for each value of a dimension.
    func counters<Key: Hashable>(
        _ label: String, by dimension: String, of keys: some Sequence<Key>, _ text: (Key) -> String
    ) -> [Key: Counter] {
        keys.reduce(into: [:]) { counters, key in
            counters[key] = Counter(label: label, dimensions: [(dimension, text(key))], factory: self)
        }
    }
}

/// One line, or block of lines, of the page.
protocol PrometheusSeries: Sendable {
    /// The type in the `# TYPE` line.
    var type: String { get }

    /// Whether it has nothing to show: a histogram of many lines, all of them zero.
    var isEmpty: Bool { get }

    func write(as name: SeriesName, to text: inout String)
}

extension PrometheusSeries {
    var isEmpty: Bool { false }
}

struct SeriesName: Hashable, Comparable {
    let metric: String
    let labels: String

    init(metric: String, labels: [(String, String)]) {
        self.metric = metric
        self.labels = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    }

    static func < (one: SeriesName, other: SeriesName) -> Bool {
        (one.metric, one.labels) < (other.metric, other.labels)
    }

    /// One line: `metric_suffix{labels,extra} value`.
    func line(suffix: String = "", extra: String? = nil, _ value: String) -> String {
        let all = [labels, extra ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
        return "\(metric)\(suffix)\(all.isEmpty ? "" : "{\(all)}") \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            switch character {
            case "\\", "\"": text += "\\\(character)"
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
    }
}

final class PrometheusCounter: CounterHandler, PrometheusSeries {
    private let value = Guarded<Int64>(0)

    var type: String { "counter" }

    func increment(by amount: Int64) { value.withLock { $0 &+= amount } }

    func reset() { value.withLock { $0 = 0 } }

    func write(as name: SeriesName, to text: inout String) {
        text += name.line(String(value.withLock { $0 }))
    }
}

final class PrometheusGauge: MeterHandler, RecorderHandler, PrometheusSeries {
    private let value = Guarded<Double>(0)

    var type: String { "gauge" }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }

    func write(as name: SeriesName, to text: inout String) {
        text += name.line(String(value.withLock { $0 }))
    }
}

final class PrometheusHistogram: TimerHandler, RecorderHandler, PrometheusSeries {
    /// Upper bounds of durations, in seconds: from a cached response to a request that everybody has given up.
    static let seconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
    static let sizes = [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

    private struct State {
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Guarded<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Guarded(State(counts: [UInt64](repeating: 0, count: bounds.count + 1)))
    }

    var type: String { "histogram" }

    var isEmpty: Bool { state.withLock { $0.counts.allSatisfy { $0 == 0 } } }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] &+= 1
            state.sum += value
        }
    }

    func write(as name: SeriesName, to text: inout String) {
        let state = state.withLock { $0 }
        var total: UInt64 = 0
        for (bound, count) in zip(bounds.map { String($0) } + ["+Inf"], state.counts) {
            total &+= count
            text += name.line(suffix: "_bucket", extra: "le=\"\(bound)\"", String(total))
        }
        text += name.line(suffix: "_sum", String(state.sum))
        text += name.line(suffix: "_count", String(total))
    }
}
