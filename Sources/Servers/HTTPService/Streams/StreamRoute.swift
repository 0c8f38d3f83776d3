import CoreMetrics
import Devices
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import LightningCrypto
import Logging
import NIOCore
import Platform
import ResponderModel

/// `GET /v1/notifications/stream`: an owner's messages as they come, as server-sent events. Apps show the secret of their
/// device, pages their session.
///
/// Each stream looks at the ledger from time to time, so it does not matter which instance has added a message. It holds
/// no messages but those of the last look, and looks again once these are written. It ends when the service stops or the
/// device is removed; clients come back with `Last-Event-ID`.
struct StreamRoute: Sendable {
    let pages: PageRoutes
    private let slots: SharedSlots
    private let gauge: Meter
    let clock: MonotonicClock
    /// How long nothing may be sent, and after how long it is checked again whether the device may listen.
    let silence: Duration
    let isStopping: @Sendable () -> Bool
    private let instruments: RouteInstruments

    private static let interval = Duration.seconds(2)
    private static let path = "/v1/notifications/stream"
    /// The most streams of one owner, at one instance: their clients do not hang up by themselves.
    private static let mostOfOwner = 3

    /// - Parameters:
    ///   - pages: know who asks.
    ///   - slots: those of all who wait.
    init(_ pages: PageRoutes, slots: SharedSlots, _ router: PublicRouter) {
        self.pages = pages
        self.slots = slots
        gauge = Meter(label: "responder_device_streams", factory: pages.metrics)
        gauge.set(0)
        clock = router.monotonic
        silence = min(.seconds(20), .seconds(Int64(clamping: min(router.limits.requestTime, 3600))) * 2 / 3)
        isStopping = router.isStopping
        instruments = RouteInstruments(template: Self.path, metrics: pages.metrics)
    }

    func add(to router: Router<ServiceContext>) {
        router.get(RouterPath(Self.path)) { request, context in
            await instruments.observe(context.logger) { await answer(request, context) }
        }
    }

    private func answer(_ request: Request, _ context: ServiceContext) async -> RouteInstruments.Observed {
        do throws(MessageCenterRefusal) {
            let listener = try await listener(request, context)
            let place = try Self.place(request)
            let owner = listener.device.profile.owner.hexadecimal
            let shares: [SharedSlots.Share] = [
                .most(Self.mostOfOwner, of: "streams of \(owner)"), .part(4, of: "streams"),
            ]
            guard let taken = try? slots.take(for: pages.admission.network(of: request, context), shares) else {
                throw .tooOften(retryAfter: 30)
            }
            let stream = OpenStream(taken, gauge)
            return .init(
                Response(status: .ok, headers: Self.headers, body: body(listener, after: place, stream)))
        } catch {
            return .init(error)
        }
    }

    /// Who listens, and until when.
    private struct Listener {
        let device: Device
        let end: UnixTime?
    }

    private func listener(
        _ request: Request, _ context: ServiceContext
    ) async throws(MessageCenterRefusal) -> Listener {
        if request.headers[.authorization] != nil {
            return Listener(device: try await pages.access.device(by: request, context), end: nil)
        }
        if let seconds = pages.admission.wait(for: .registrationRead, request, context) {
            throw .tooOften(retryAfter: seconds)
        }
        do throws(PageRefusal) {
            let (session, device) = try await pages.continued(by: request)
            return Listener(device: device, end: session.expires)
        } catch {
            if case .center(let refusal) = error { throw refusal }
            throw .unauthorized
        }
    }

    /// What a client knows: the last event that it got, else the place that it asks for.
    private static func place(_ request: Request) throws(MessageCenterRefusal) -> UInt64? {
        let items = (try? request.uri.items()) ?? []
        let name = HTTPField.Name("Last-Event-ID")
        let known = name.flatMap { request.headers[$0] } ?? items.first { $0.name.isExactly("after") }?.value
        guard let known, !known.isEmpty else { return nil }
        guard let place = UInt64(digits: known) else {
            throw .request(DeviceMemberFault(member: "Last-Event-ID", .malformed))
        }
        return place
    }

    private func body(_ listener: Listener, after place: UInt64?, _ stream: OpenStream) -> ResponseBody {
        ResponseBody { writer in
            // Closed when the response is released.
            defer { _ = stream }
            try await send(to: listener, after: place, &writer)
            try await writer.finish(nil)
        }
    }

    private func send(
        to listener: Listener, after place: UInt64?, _ writer: inout some ResponseBodyWriter
    ) async throws {
        let center = pages.pages.center
        var feed = MessageFeed(after: place)
        var lines = "retry: 3000\n\n"
        var (written, checked) = (clock.now(), clock.now())
        while !isStopping(), listener.end.map({ pages.clock() < $0 }) ?? true {
            if clock.now() - checked >= silence {
                let device = try await center.device(listener.device.id)
                guard device?.profile.secretHash == listener.device.profile.secretHash else { return }
                checked = clock.now()
            }
            lines += try await center.look(&feed, of: listener.device.profile.owner).map(\.text).joined()
            if lines.isEmpty, clock.now() - written >= silence { lines = ":\n\n" }
            if !lines.isEmpty {
                try await writer.write(ByteBuffer(string: lines))
                lines = ""
                written = clock.now()
            }
            try await clock.sleep(clock.now() + Self.interval)
        }
    }

    private static let headers: HTTPFields = {
        var headers: HTTPFields = [.contentType: HTTPConnection.streamType, .cacheControl: "no-store, private"]
        // Proxies such as nginx would hold events back.
        if let buffering = HTTPField.Name("X-Accel-Buffering") { headers[buffering] = "no" }
        headers[.accessControlAllowOrigin] = "*"
        return headers
    }()
}

/// A place that a stream takes until nobody refers to it.
private final class OpenStream: Sendable {
    private let place: SharedSlots.Slot
    private let gauge: Meter

    fileprivate init(_ place: SharedSlots.Slot, _ gauge: Meter) {
        self.place = place
        self.gauge = gauge
        gauge.increment()
    }

    deinit {
        gauge.decrement()
    }
}
