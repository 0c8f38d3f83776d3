import LightningCoding
package import LightningCrypto
import Platform
package import OutboundHTTP

/// Posts replies to their reply URLs.
///
/// Connections are not shared with anything else, redirects are not followed, and nothing is read from the environment.
/// Replies are posted concurrently: a failing one delays no other, and one receiver never takes all slots.
package final class ReplySender: Sendable {
    private let settings: Settings
    private let client: HTTPClient
    private let underway = Guarded(0)

    package struct Settings: Sendable {
        package var policy: ReplyPolicy
        /// The maximum number of pending replies, including those waiting for a retry; more are rejected.
        package var maximumUnderway = 10_000
        package var maximumInFlight = 64
        package var maximumInFlightPerHost = 32
        /// A file of trusted certificates (PEM) instead of the system's.
        package var certificateAuthorities: String?
        /// Addresses for a host and port, used instead of the resolver's; checked in the same way.
        package var pinnedHosts: [PinnedHost] = []
        package var schedule: @Sendable () -> DeliverySchedule

        package init(policy: ReplyPolicy = ReplyPolicy(), random: @escaping RandomSource = SystemRandom.bytes) {
            self.policy = policy
            schedule = { DeliverySchedule(random: random) }
        }
    }

    /// Creates a sender; its client ends with ``close()`` or with the last reference.
    package init(_ settings: Settings = Settings()) throws(OutboundFault) {
        self.settings = settings
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrency = settings.maximumInFlight
        configuration.maximumConcurrencyPerHost = settings.maximumInFlightPerHost
        configuration.maximumWaiting = settings.maximumUnderway
        configuration.proxy = settings.policy.proxy
        configuration.addressPolicy = settings.policy.addressPolicy
        configuration.certificateAuthorities = settings.certificateAuthorities
        configuration.pinnedHosts = settings.pinnedHosts
        client = try HTTPClient(configuration)
    }

    /// Cancels every post in flight and rejects further ones.
    package func close() {
        client.close()
    }

    /// Checks a URL before there is a reply.
    package func check(_ replyURL: String) throws(ReplyURLFault) {
        _ = try settings.policy.url(replyURL)
    }

    /// Posts a reply until it is accepted or rejected for good, or the deadline passes.
    ///
    /// Ends soon when the task is cancelled.
    ///
    /// - Parameters:
    ///   - reply: the reply, with its lifetime as `Cache-Control`.
    ///   - replyURL: the URL as received.
    ///   - time: how long somebody waits for it.
    package func deliver(_ reply: Reply, to replyURL: String, within time: Duration) async -> DeliveryReport {
        let start = MonotonicTime.now
        var delivery = Delivery(settings.schedule(), at: start, deadline: start + time)
        let outcome: DeliveryOutcome
        do throws(ReplyURLFault) {
            let url = try settings.policy.url(replyURL)
            var headers = [HTTPField.jsonContent]
            if let value = reply.cacheControl, let field = try? HTTPField("Cache-Control", value) {
                headers.append(field)
            }
            let request = HTTPRequest(.post, url, headers: headers, body: reply.body, wantsBody: false)
            outcome = await carry(request, &delivery)
        } catch {
            outcome = .forbidden(error)
        }
        let milliseconds = (MonotonicTime.now - start) / .milliseconds(1)
        return DeliveryReport(
            outcome: outcome, attempts: delivery.attempts, milliseconds: UInt64(max(0, milliseconds.rounded())))
    }

    private func carry(_ request: HTTPRequest, _ delivery: inout Delivery) async -> DeliveryOutcome {
        let maximum = settings.maximumUnderway
        let hasPlace = underway.withLock { count in
            guard count < maximum else { return false }
            count += 1
            return true
        }
        guard hasPlace else { return .overloaded }
        defer { underway.withLock { $0 -= 1 } }
        var request = request
        var event = Delivery.Event.began
        while true {
            switch delivery.on(event, at: .now) {
            case .finish(let outcome): return outcome
            case .post(let timeout):
                request.timeout = timeout
                event = await post(request)
            case .wait(let moment):
                let hasSlept: Void? = try? await MonotonicClock.system.sleep(moment)
                event = hasSlept == nil ? .cancelled : .woke
            }
        }
    }

    private func post(_ request: HTTPRequest) async -> Delivery.Event {
        do throws(OutboundFault) {
            return .answered(status: try await client.send(request).status)
        } catch {
            return .failed(error)
        }
    }
}
