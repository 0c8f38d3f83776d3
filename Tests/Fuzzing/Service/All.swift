@testable import Doctor
package import LightningFuzzing
import ServiceSetup

extension FuzzTarget {
    package static let all = ofLibraries + ofService
    package static let ofService =
        appUsers + nodes + [
            // Only the operator writes it, but a slip must not end in a crash.
            FuzzTarget("yaml") { _ = try? YAMLReader.read($0) },
            FuzzTarget("dns-reply") { _ = try? DNSReply(parsing: $0) },
        ]
}
