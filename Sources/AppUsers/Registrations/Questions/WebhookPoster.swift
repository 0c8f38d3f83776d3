package import OutboundHTTP
package import ResponderCore
package import ResponderModel

/// Posts questions to webhooks.
///
/// Their URLs come from strangers: every address is checked when the socket is opened, and no redirect is followed.
package final class WebhookPoster: Sendable {
    package typealias Fault = OutboundFault

    private let client: HTTPClient

    package struct Response: Sendable {
        package let status: Int
        /// The body, up to `ReplyInspection.maximumCount` bytes; empty unless it was wanted.
        package let body: [UInt8]

        package init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }
    }

    package static let maximumInFlight = 1024

    /// Creates a poster; its client ends with ``close()`` or with the last reference.
    ///
    /// - Parameters:
    ///   - policy: the allowed webhooks.
    ///   - configuration: for tests, certificates and pinned hosts.
    package init(
        _ policy: ReplyPolicy, configuration: HTTPClient.Configuration = HTTPClient.Configuration()
    ) throws(OutboundFault) {
        var configuration = configuration
        configuration.addressPolicy = policy.addressPolicy
        configuration.proxy = policy.proxy
        configuration.maximumConcurrency = Self.maximumInFlight
        configuration.maximumBodyBytes = ReplyInspection.maximumCount
        client = try HTTPClient(configuration)
    }

    /// Posts a body, within that time from now.
    package func post(
        _ body: [UInt8], to webhook: WebhookURL, within time: Duration, wantsBody: Bool
    ) async throws(OutboundFault) -> Response {
        let request = HTTPRequest(
            .post, webhook.url, headers: [.jsonContent], body: body, timeout: time, wantsBody: wantsBody)
        let response = try await client.send(request)
        return Response(status: response.status, body: response.body)
    }
}
