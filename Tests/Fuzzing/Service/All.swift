@testable import Doctor
package import LightningFuzzing
import LightningCoding
import Platform
import ServiceSetup

extension FuzzTarget {
    package static let all = ofLibraries + ofService
    package static let ofService =
        appUsers + nodes + [
            // Only the operator writes it, but a slip must not end in a crash.
            FuzzTarget("yaml") { _ = try? YAMLReader.read($0) },
            FuzzTarget("dns-reply") { _ = try? DNSReply(parsing: $0) },
            FuzzTarget(text: "forwarded-for") { text in
                let (proxy, stranger) = (IPAddress.v4(0x0A00_0001), IPAddress.v4(0xC000_0201))
                func client(_ peer: IPAddress, _ fields: String...) -> IPAddress {
                    ClientAddress.of(
                        peer: peer, forwardedFor: fields, trusting: NetworkPrefix("10.0.0.0/8").map { [$0] } ?? [])
                }
                try require(client(stranger, text) == stranger, "a peer that is not trusted is the client")
                try require(
                    client(proxy, text, stranger.description) == stranger
                        && client(proxy, "\(text),\(stranger), \(proxy)") == stranger,
                    "what stands before an address that is not trusted changes nothing")
                _ = client(proxy, text)
            },
        ]
}
