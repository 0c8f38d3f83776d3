import CoreMetrics
import LightningCoding
import LightningCrypto
import Platform

/// Opens streams in places of all who wait: their clients do not hang up by themselves.
struct OpenStreams: Sendable {
    private let places: SharedPlaces
    private let gauge: Meter

    /// The most streams of one owner, at one instance.
    static let mostOfOwner = 3

    init(in places: SharedPlaces, metrics: any MetricsFactory) {
        self.places = places
        gauge = Meter(label: "responder_device_streams", factory: metrics)
        gauge.set(0)
    }

    /// Opens a stream; nil when there are too many. It is closed when nobody refers to the result.
    func open(for owner: PublicKey, from network: ClientNetwork?) -> OpenStream? {
        let shares: [SharedPlaces.Share] = [
            .most(Self.mostOfOwner, of: "streams of \(owner.hexadecimal)"), .part(4, of: "streams"),
        ]
        return (try? places.take(for: network, shares)).map { OpenStream($0, gauge) }
    }
}

final class OpenStream: Sendable {
    private let place: SharedPlaces.Place
    private let gauge: Meter

    fileprivate init(_ place: SharedPlaces.Place, _ gauge: Meter) {
        self.place = place
        self.gauge = gauge
        gauge.increment()
    }

    deinit {
        gauge.decrement()
    }
}
