import LNURL
import LightningCoding
import LightningCrypto
import OutboundHTTP
import ResponderCore

extension VectorRunner {
    static let replies = [
        // Decides whether a reply may be posted to a URL: by its text, by the policy, and by the addresses of its host.
        VectorRunner("responder", "reply-url") { input in
            let (policy, text) = (try input.replyPolicy(), try input.text("url"))
            let addresses = try input.has("addresses") ? input.array("addresses").compactMap(\.string) : nil
            do throws(ReplyURLFault) {
                return ["url": .string(try policy.url(text, resolvedTo: addresses?.compactMap { IPAddress($0) }).text)]
            } catch {
                throw BrokenRule(name: error.rule)
            }
        },
        // The pause after a number of attempts, with what chance has drawn.
        VectorRunner("responder", "retry") { input in
            let drawn = try input.bytes("random")
            let pause = RetrySchedule.day.pause(after: try input.unsigned("attempts")) { _ throws(CryptoFault) in drawn
            }
            return ["pause": .number(pause)]
        },
    ]
}

extension VectorInput {
    fileprivate func replyPolicy() throws(InputFault) -> ReplyPolicy {
        var policy = ReplyPolicy()
        if has("allowedHosts") {
            policy.allowedHosts = try array("allowedHosts").compactMap { $0.string.flatMap { HostSuffix($0) } }
        }
        if has("allowedPorts") {
            policy.allowedPorts = Set(
                try array("allowedPorts").compactMap { $0.uint64.flatMap { UInt16(exactly: $0) } })
        }
        if has("proxy") { policy.proxy = try parsed("proxy") { Proxy($0) } }
        if has("allowsLoopback") { policy.allowsLoopback = try flag("allowsLoopback") }
        return policy
    }
}

extension ReplyPolicy {
    /// The URL of a text, once its host has these addresses; nil while it is not resolved.
    fileprivate func url(_ text: String, resolvedTo addresses: [IPAddress]?) throws(ReplyURLFault) -> HTTPURL {
        let url = try url(text)
        if let addresses, !addresses.contains(where: addressPolicy.permits) { throw .resolvedAddress }
        return url
    }
}

extension ReplyURLFault {
    /// Its name in vectors: the stage that refuses, and why.
    fileprivate var rule: String {
        switch self {
        case .url(let fault): "text-" + fault.rule
        case .clearnetHTTP: "policy-clearnet-http"
        case .port: "policy-port"
        case .hostNotListed: "policy-host-not-listed"
        case .hostNotListedBehindProxy: "policy-host-not-listed-behind-proxy"
        case .onionNotListed: "policy-onion-not-listed"
        case .onionWithoutProxy: "policy-onion-without-proxy"
        case .address: "policy-address"
        case .resolvedAddress: "connection-address"
        }
    }
}
