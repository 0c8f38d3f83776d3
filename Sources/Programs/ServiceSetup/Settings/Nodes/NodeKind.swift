package import ResponderModel
package import LightningCoding

/// A kind of node: its name in the file, its keys, how they are read, and how the node is connected.
///
/// Each kind is one file in `Kinds`, listed in ``NodeKinds/all``. Secrets are given as paths of files that hold them.
package protocol NodeKind: Hashable, Sendable {
    /// The value of `kind` in the file.
    static var word: String { get }

    /// The keys that only this kind has.
    static var rows: [any SettingRow] { get }

    /// The members that are lists or mappings.
    static var nested: [String] { get }

    /// Whether it is reached over a connection, so that calls to it are limited and timed.
    static var isRemote: Bool { get }

    /// Whether offers' paths through the node's peers are built here.
    var buildsOffers: Bool { get }

    /// The file with the secret that signs the events which the node posts to the service; nil when it posts none.
    var webhookSecretFile: String? { get }

    init(_ fields: SectionFields) throws(ConfigurationFaults)

    /// Connects the node. No call is made yet: the node may start later.
    ///
    /// - Parameter clock: the ledger's time, the only one by which anything is decided.
    /// - Throws: when it cannot be used as configured, for example when a secret's file cannot be read.
    func connect(clock: @escaping WallClock) throws(BackendFault) -> any ReceiveBackend
}

extension NodeKind {
    package static var nested: [String] { [] }

    package static var isRemote: Bool { true }

    package var buildsOffers: Bool { true }

    package var webhookSecretFile: String? { nil }

    /// The single-valued keys of this kind. The embedded node has no load limits and no peers.
    static var allRows: [any SettingRow] {
        isRemote ? NodeConfiguration.common + rows : [NodeConfiguration.kind] + rows
    }
}

package enum NodeKinds {
    package static let all: [any NodeKind.Type] = [
        CoreLightningKind.self, LNDKind.self, PhoenixdKind.self, HookKind.self, EmbeddedKind.self,
    ]
}

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

/// `ConfiguredBackend` enforces concurrency and deadlines. A backend's own limits must not end a call earlier.
extension BackendLoad {
    /// Two queues of calls, for orders and for queries, and some unqueued ones that follow settlements.
    fileprivate var callsInAll: Int { 2 * calls + 16 }
}

extension CallLimits {
    /// Limits that leave concurrency and deadlines to the queue.
    init(behind load: BackendLoad) {
        self.init()
        connectTimeout = load.deadline
        answerTimeout = load.deadline
        maximumConcurrency = load.callsInAll
    }
}
