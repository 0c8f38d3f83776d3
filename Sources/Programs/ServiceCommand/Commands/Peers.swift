import ArgumentParser
import ServiceSetup
import LightningCoding

struct Peers: InstallationCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the connections to Lightning nodes: state, features, traffic, rate, last error.",
        discussion: """
            Asks the running service. The setting onion-peer.connect lists the nodes to connect to; paths of new \
            offers begin at these nodes.
            """
    )

    @OptionGroup var common: CommonOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let configuration = try settings.configuration()
        let json = try await DataFolder.used(by: configuration).askService("/peers")
        guard json["configured"]?.bool == true else {
            return CommandResult(
                text: "No Lightning peer is configured; set onion-peer.connect.\n",
                json: json)
        }
        let peers = json["peers"]?.array ?? []
        let reachable = json["introductions"]?.array?.count ?? 0
        return CommandResult(
            text: peers.map { PeerLines($0).text }.joined() + "reachable through \(reachable) peers\n", json: json)
    }
}

struct PeerLines {
    let text: String

    init(_ peer: JSONValue) {
        func word(_ key: String) -> String { peer[key]?.string ?? "" }
        func count(_ key: String) -> UInt64 { peer[key]?.uint64 ?? 0 }
        let way = peer["incoming"]?.bool == true ? "from" : "to"
        var lines = ["\(word("nodeID"))", "  \(way) \(word("address")), \(Self.state(peer))"]
        if word("state") == "open" {
            let carries = peer["onionMessages"]?.bool == true
            lines.append("  features: \(Self.features(peer))" + (carries ? "" : "; does not support onion messages"))
            lines.append(
                "  messages: \(count("messagesIn")) in, \(count("messagesOut")) out, \(count("waiting")) waiting; in the last"
                    + " minute \(count("perMinuteIn")) in, \(count("perMinuteOut")) out; bytes: \(count("bytesIn")) in,"
                    + " \(count("bytesOut")) out")
        }
        let dropped = (peer["dropped"]?.object?.members ?? []).map { "\($0.key) \($0.value.uint64 ?? 0)" }
        if !dropped.isEmpty { lines.append("  dropped: \(dropped.joined(separator: ", "))") }
        if let warning = peer["warning"]?.string { lines.append("  warns: \(warning)") }
        if let text = peer["lastError"]?.string { lines.append("  last error: \(text)") }
        text = lines.map { $0.printable + "\n" }.joined()
    }

    private static func state(_ peer: JSONValue) -> String {
        let seconds = peer["seconds"]?.uint64 ?? 0
        return switch peer["state"]?.string {
        case "open": "open for \(seconds) s"
        case "waiting": "not connected; next attempt in \(seconds) s"
        default: "connecting"
        }
    }

    /// How many features of a peer are shown; today's nodes have about twenty.
    private static let shownFeatures = 64

    private static func features(_ peer: JSONValue) -> String {
        let bits = (peer["features"]?.array ?? []).compactMap(\.uint64).map { String($0) }
        guard !bits.isEmpty else { return "none" }
        let isCut = bits.count > shownFeatures || peer["moreFeatures"]?.bool == true
        return bits.prefix(shownFeatures).joined(separator: " ") + (isCut ? " and more" : "")
    }
}
