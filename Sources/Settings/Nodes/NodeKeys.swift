import Nodes
import LightningCoding

/// Keys shared by several kinds of nodes.
enum NodeKeys {
    static let url = Setting<HTTPURL?>("url", "Where the node's REST interface is.") { url in
        url.query == nil ? nil : "must have no query"
    }
    static let webhookSecretFile = Setting<String?>(
        "webhook-secret-file", "A file with the secret that events are signed with.")
    static let certificateFile = Setting<String?>(
        "certificate-file", "The certificate to trust (PEM) in place of the system's authorities.")
}

extension SectionFields {
    /// The URL of a node to which a secret is sent.
    func urlOfNode() throws(ConfigurationFaults) -> HTTPURL {
        let url = try required(NodeKeys.url)
        guard let safe = try? NodeURL(url) else {
            throw section.fault("needs a url that keeps secrets: it \(NodeURL.rule)")
        }
        return safe.url
    }
}
