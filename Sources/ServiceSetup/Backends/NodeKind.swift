package import Contracts
package import ResponderCore

/// A kind of node: the word for it in the file, its keys, how they are read, and how the node is connected.
///
/// Each kind is one file in `Kinds`, named in ``NodeKinds/all``. Secrets are named by the files in which they lie.
package protocol NodeKind: Hashable, Sendable {
    /// The word for it in the file, below `kind`.
    static var word: String { get }

    /// The keys that only this kind has.
    static var rows: [any SettingRow] { get }

    /// Its members that are lists or mappings.
    static var nested: [String] { get }

    /// Whether it is reached over a connection, so that calls to it are limited and timed.
    static var isRemote: Bool { get }

    /// Reads its keys.
    init(_ fields: SectionFields) throws(ConfigurationFaults)

    /// The node. Nothing is asked of it yet: it may be started later than this.
    ///
    /// - Throws: when it cannot be used as configured, such as a file with a secret that cannot be read.
    func connect(bearing load: BackendLoad) throws(BackendFault) -> any ReceiveBackend
}

extension NodeKind {
    package static var nested: [String] { [] }

    package static var isRemote: Bool { true }

    /// The single values of a node of this kind. The embedded one bears what the process bears, and has no peers.
    static var allRows: [any SettingRow] {
        isRemote ? NodeConfiguration.common + rows : [NodeConfiguration.kind] + rows
    }
}

/// The kinds of nodes that can be configured.
package enum NodeKinds {
    package static let all: [any NodeKind.Type] = [
        CoreLightningKind.self, LNDKind.self, PhoenixdKind.self, HookKind.self, EmbeddedKind.self,
    ]
}

/// The word for a kind of node.
package struct NodeKindWord: SettingValue {
    let kind: any NodeKind.Type

    package static var form: String { NodeKinds.all.map { $0.word }.joined(separator: " | ") }

    package init?(setting text: String) {
        guard let kind = NodeKinds.all.first(where: { $0.word == text }) else { return nil }
        self.kind = kind
    }

    package var settingText: String { kind.word }

    package static func == (left: NodeKindWord, right: NodeKindWord) -> Bool { left.settingText == right.settingText }

    package func hash(into hasher: inout Hasher) { hasher.combine(settingText) }
}
