import LightningCoding
public import OutboundHTTP
public import Contracts

extension BackendFault {
    /// Maps the fault of an HTTP exchange with a node.
    public init(_ fault: OutboundFault) {
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
        case .cancelled: self = .unreachable("cancelled")
        case .overloaded: self = .overloaded
        case .closed: self = .unreachable("closed")
        case .other(let code): self = .unreachable("libcurl \(code)")
        }
    }

    /// A node's message, made safe for a log: one line, limited length.
    public static func words(_ text: String) -> String {
        String(text.unicodeScalars.prefix(200)).printable
    }
}
