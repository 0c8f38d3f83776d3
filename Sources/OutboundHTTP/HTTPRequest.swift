public import LightningCoding

/// What is asked of a server.
public enum HTTPMethod: String, Hashable, Sendable {
    /// Asks for what is there.
    case get = "GET"
    /// Asks for the header fields alone.
    case head = "HEAD"
    /// Brings something.
    case post = "POST"
    /// Puts something in its place.
    case put = "PUT"
    /// Takes something away.
    case delete = "DELETE"
}

/// One request and the time in which it must be answered.
public struct HTTPRequest: Hashable, Sendable {
    /// What is asked.
    public var method: HTTPMethod
    /// Where it goes; redirects are never followed.
    public var url: HTTPURL
    /// Header fields beside those that frame the message.
    public var headers: [HTTPField]
    /// The body, sent as it is.
    public var body: [UInt8]
    /// How long everything may take, from the call to the last byte of the answer, waiting for a free place included.
    public var timeout: Duration
    /// Whether the answer's body matters. When it does not, the answer has none: it is complete with its header section, and
    /// at most 4 KiB are read behind that, so that the connection can be used again.
    public var wantsBody: Bool

    /// Makes a request; nothing is sent yet.
    public init(
        _ method: HTTPMethod, _ url: HTTPURL, headers: [HTTPField] = [], body: [UInt8] = [],
        timeout: Duration = .seconds(20), wantsBody: Bool = true
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.wantsBody = wantsBody
    }
}
