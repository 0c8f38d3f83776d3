package import OutboundHTTP
package import ResponderCore
package import ResponderModel

/// Posts questions to webhooks.
///
/// Their URLs come from strangers: every address is checked when the socket is opened, and no redirect is followed.
package final class WebhookPoster: Sendable {
    private let client: HTTPClient

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
    ///
    /// - Returns: the response, with a body of up to `ReplyInspection.maximumCount` bytes when it is wanted.
    package func post(
        _ body: [UInt8], to webhook: WebhookURL, within time: Duration, wantsBody: Bool
    ) async throws(OutboundFault) -> HTTPResponse {
        try await client.send(
            HTTPRequest(.post, webhook.url, headers: [.jsonContent], body: body, timeout: time, wantsBody: wantsBody))
    }
}
