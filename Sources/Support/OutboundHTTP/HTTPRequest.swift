package import LightningCoding

package enum HTTPMethod: String, Hashable, Sendable {
    case get = "GET"
    /// Retrieves the header fields only.
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    /// Asks what a resource allows: a browser's CORS preflight.
    case options = "OPTIONS"
}

package struct HTTPRequest: Hashable, Sendable {
    package var method: HTTPMethod
    /// The URL; redirects are never followed.
    package var url: HTTPURL
    /// Header fields other than those of message framing.
    package var headers: [HTTPField]
    /// The body, sent as it is.
    package var body: [UInt8]
    /// How long the whole request may take, from the call to the last byte of the response, including waiting in the
    /// queue.
    package var timeout: Duration
    /// Whether the response body is wanted. If not, the response is complete after its header section, and at most 4
    /// KiB of the body are read so that the connection can be reused.
    package var wantsBody: Bool
    /// A URL whose host and port are sent in the `Host` field instead of those of ``url``: for a server that answers
    /// for several names.
    package var namedFor: HTTPURL?

    /// Creates a request; nothing is sent yet.
    package init(
        _ method: HTTPMethod, _ url: HTTPURL, headers: [HTTPField] = [], body: [UInt8] = [],
        timeout: Duration = .seconds(20), wantsBody: Bool = true, namedFor: HTTPURL? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.wantsBody = wantsBody
        self.namedFor = namedFor
    }
}
