import HTTPService
import ServiceSetup
import LightningCoding
import Platform
import ResponderModel

extension Installation {
    /// What nodes tell of their peers; nil when nobody may ask.
    func forwardingHints() throws(CommandFailure) -> ForwardingHints? {
        guard let path = configuration.forwardingHint.tokenFile else { return nil }
        let nodes = backends.values.compactMap(\.forwarding)
        guard !nodes.isEmpty else {
            throw CommandFailure(
                .configuration, "forwarding-hint.token-file: no node tells of its peers; Core Lightning and LND do")
        }
        let contents = try rethrowing(PrivateFile(path: path).contents(limit: 1024)) { CommandFailure($0, at: path) }
        return ForwardingHints(of: nodes, for: BearerToken(try DataFolder.token(contents, from: path)))
    }
}
