public import LightningCoding

/// The method of a request.
public enum HTTPMethod: String, Hashable, Sendable {
    /// Retrieves a resource.
    case get = "GET"
    /// Retrieves the header fields only.
    case head = "HEAD"
    /// Submits data.
    case post = "POST"
    /// Replaces a resource.
    case put = "PUT"
    /// Deletes a resource.
    case delete = "DELETE"
    /// Asks what a resource allows: a browser's CORS preflight.
    case options = "OPTIONS"
}

/// A request with its timeout.
public struct HTTPRequest: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The URL; redirects are never followed.
    public var url: HTTPURL
    /// Header fields other than those of message framing.
    public var headers: [HTTPField]
    /// The body, sent as it is.
    public var body: [UInt8]
    /// How long the whole request may take, from the call to the last byte of the response, including waiting in the
    /// queue.
    public var timeout: Duration
    /// Whether the response body is wanted. If not, the response is complete after its header section, and at most 4
    /// KiB of the body are read so that the connection can be reused.
    public var wantsBody: Bool
    /// A URL whose host and port are sent in the `Host` field instead of those of ``url``: for a server that answers
    /// for several names.
    public var namedFor: HTTPURL?

    /// Creates a request; nothing is sent yet.
    public init(
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
