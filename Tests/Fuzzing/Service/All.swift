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
                guard let proxy = IPAddress("10.0.0.1"), let other = IPAddress("192.0.2.1"),
                    let trusted = NetworkPrefix("10.0.0.0/8")
                else { return }
                let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                let client = ClientAddress.of(peer: proxy, forwardedFor: [text], trusting: [trusted])
                try require(
                    ClientAddress.of(peer: proxy, forwardedFor: fields, trusting: [trusted]) == client,
                    "one field with commas means the same as several")
                try require(
                    ClientAddress.of(peer: other, forwardedFor: [text], trusting: [trusted]) == other,
                    "a peer that is not trusted is the client")
            },
        ]
}
