import Nodes
import LightningCoding

/// Keys shared by several kinds of nodes.
enum NodeKeys {
    static let url = Setting("url", "The URL of the node's REST interface.", rule: withoutQuery)
    /// The path of a call is appended to the URL.
    static let withoutQuery: @Sendable (HTTPURL) -> String? = { $0.query == nil ? nil : "must have no query" }
    static let webhookSecretFile = Setting<String?>(
        "webhook-secret-file", "A file with the secret that signs events.")
    static let certificateFile = Setting<String?>(
        "certificate-file", "The certificate to trust (PEM), instead of the system's authorities.")
}

extension SectionFields {
    /// The URL of a node to which a secret is sent.
    func urlOfNode() throws(ConfigurationFaults) -> HTTPURL {
        let url = try required(NodeKeys.url)
        guard let safe = try? NodeURL(url) else {
            throw section.fault("needs a URL that keeps secrets: it \(NodeURL.rule)")
        }
        return safe.url
    }
}
