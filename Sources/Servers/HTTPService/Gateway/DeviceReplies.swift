import ResponderModel
import CoreMetrics
import Hummingbird
import Platform
package import Registrations
package import ServiceLifecycle

/// Takes the replies that devices post, for whoever awaits them, at this instance or another one.
struct DeviceReplies: Sendable {
    private let awaited: AwaitedReplies
    private let admission: Admission
    private let unknown: Counter

    init(_ awaited: AwaitedReplies, admission: Admission, metrics: any MetricsFactory) {
        self.awaited = awaited
        self.admission = admission
        unknown = Counter(label: "responder_device_replies_unknown_total", factory: metrics)
    }

    enum Outcome: Sendable {
        case taken
        /// Its network has replied to nobody too often.
        case tooOften(retryAfter: UInt64)
        /// Nobody awaits it.
        case unknown
        /// It is none.
        case malformed
    }

    /// - Parameter reading: reads the body, nil when it is no reply; called only if somebody may await one.
    func take(
        _ id: ReplyID, _ request: Request, _ context: ServiceContext,
        reading: (ClientNetwork?) async throws(BodyFault) -> DeviceReply?
    ) async throws(BodyFault) -> Outcome {
        let delay = awaited.isOpen(id) ? nil : admission.delay(of: .unknownReply, request, context)
        if let delay, !awaited.isShared {
            unknown.increment()
            return .tooOften(retryAfter: delay)
        }
        let network = admission.network(of: request, context)
        let reply = try await reading(network)
        if let delay {
            // Those behind the address of somebody who guesses are heard.
            let isTaken = await admission.afterGuesses(from: network) {
                guard let reply else { return false }
                return await awaited.hand(reply, for: id)
            }
            if isTaken == true { return .taken }
            unknown.increment()
            return .tooOften(retryAfter: delay)
        }
        if let reply {
            if await awaited.accept(reply, for: id) { return .taken }
            if await awaited.hand(reply, for: id) { return .taken }
        }
        unknown.increment()
        _ = admission.wait(for: .unknownReply, request, context)
        return reply == nil ? .malformed : .unknown
    }
}

/// Replies of devices that reach other instances are taken until the service stops; all who wait are told then, since their
/// requests end with it.
extension AwaitedReplies: ServiceFeature {
    package var services: [any Service] { isShared ? [BackgroundTask { [self] in await run() }] : [] }
}
