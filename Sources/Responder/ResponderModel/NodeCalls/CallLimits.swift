package import LightningCoding
package import OutboundHTTP

package struct CallLimits: Hashable, Sendable {
    package var connectTimeout = Duration.seconds(5)
    /// How long a call may take in total, including its wait in the queue.
    package var answerTimeout = Duration.seconds(15)
    /// The longest response that is read, in bytes.
    package var maximumAnswerBytes = 8 << 20
    package var maximumConcurrency = 16
    /// The maximum number of queued calls; more are rejected at once.
    package var maximumWaiting = 256
    package var memory = Duration.seconds(3)

    package init() {}

    /// Limits for the JSON of a response: a node with a thousand channels reports a lot about each.
    package var json: JSONLimits {
        JSONLimits(maximumBytes: maximumAnswerBytes, maximumDepth: 24, maximumMembers: 400_000)
    }
}

extension HTTPClient.Configuration {
    package init(_ limits: CallLimits) {
        self.init()
        connectTimeout = limits.connectTimeout
        maximumBodyBytes = limits.maximumAnswerBytes
        maximumConcurrency = limits.maximumConcurrency
        maximumWaiting = limits.maximumWaiting
    }
}

/// The URL of a node that receives one of our secrets: a macaroon, a password, a rune, a token. It must use `https`;
/// plain `http` only to loopback or to an onion service, whose connections are encrypted anyway.
package struct NodeURL: Hashable, Sendable {
    package let url: HTTPURL

    /// Why other URLs are rejected, to follow the URL's name.
    package static let rule = "must begin with https, or lead to this machine or an onion service"

    /// Checks that a URL keeps a secret safe.
    ///
    /// - Throws: `BackendFault.refused` otherwise.
    package init(_ url: HTTPURL) throws(BackendFault) {
        guard url.scheme == .https || url.isLoopback || url.isOnion else { throw .refused("the URL \(Self.rule)") }
        self.url = url
    }
}

extension BackendFault {
    package init(_ fault: OutboundFault) {
        switch fault {
        case .resolve: self = .unreachable("the host has no address")
        case .connect: self = .unreachable("nothing is listening there")
        case .refusedAddress, .onionWithoutProxy, .proxy: self = .unreachable(fault.reason)
        case .tls(let fault): self = .refused(fault.reason)
        case .handshake: self = .unreachable("the TLS handshake failed")
        case .otherKey: self = .refused("the server's certificate has changed: its key is not the one in our file")
        case .timeout: self = .timedOut
        case .connectionLost: self = .unreachable("the connection was lost")
        case .malformedResponse, .headersTooLarge: self = .malformedAnswer("no HTTP")
        case .bodyTooLarge: self = .malformedAnswer("too long")
        case .canceled: self = .unreachable("canceled")
        case .overloaded: self = .overloaded
        case .closed: self = .unreachable("closed")
        case .other(let code): self = .unreachable("libcurl \(code)")
        }
    }

    /// A node's message, made safe for a log: one line, limited length.
    package static func words(_ text: String) -> String {
        String(text.unicodeScalars.prefix(200)).printable
    }
}
