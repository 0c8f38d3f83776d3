import CoreMetrics
import LightningCrypto
import Platform

/// How many streams are open, for each owner and together.
final class OpenStreams: Sendable {
    private struct State {
        var byOwner: [PublicKey: Int] = [:]
        var count = 0
    }

    private let state = Guarded(State())
    private let gauge: Meter

    /// The most streams of one owner, at one instance.
    static let mostOfOwner = 3
    /// The most streams of all.
    static let most = 1000

    init(metrics: any MetricsFactory) {
        gauge = Meter(label: "responder_device_streams", factory: metrics)
        gauge.set(0)
    }

    /// Opens a stream; nil when there are too many. It is closed when nobody refers to the result.
    func open(for owner: PublicKey) -> OpenStream? {
        let isFree = state.withLock { state in
            guard state.count < Self.most, state.byOwner[owner, default: 0] < Self.mostOfOwner else { return false }
            state.count += 1
            state.byOwner[owner, default: 0] += 1
            return true
        }
        guard isFree else { return nil }
        gauge.increment()
        return OpenStream(owner, in: self)
    }

    fileprivate func close(_ owner: PublicKey) {
        state.withLock { state in
            state.count -= 1
            let left = state.byOwner[owner, default: 1] - 1
            state.byOwner[owner] = left == 0 ? nil : left
        }
        gauge.decrement()
    }

    /// How many are open.
    var count: Int { state.withLock { $0.count } }
}

final class OpenStream: Sendable {
    private let owner: PublicKey
    private let streams: OpenStreams

    fileprivate init(_ owner: PublicKey, in streams: OpenStreams) {
        self.owner = owner
        self.streams = streams
    }

    deinit {
        streams.close(owner)
    }
}
