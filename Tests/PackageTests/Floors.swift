/// The rooms of the package, lowest first. A room uses only rooms that stand in an earlier row.
enum Floors {
    static let rows: [[String]] = [
        // Floor 0: system libraries
        ["CSecp256k1", "COpenSSL", "CCurl", "CSQLite", "CQREncode", "CPNG", "CYAML"],
        // Floor 1: bytes, then what is done to them
        ["LightningCoding", "Locking", "PrivateFiles"],
        ["LightningCrypto"],
        // Floor 2: ways to who hides behind them
        ["BlindedPaths"],
        // Floor 3: values and codecs
        ["Bolt11", "LNURL", "Bolt12", "OnionMessages"],
        // Floor 4: what a backend and a ledger promise; the ways out; who is let in how often
        ["Receiving", "OutboundHTTP", "RateLimiting", "SQLiteStorage", "QRCodes"],
        // Floor 5
        ["Responding"],
        ["Delivering", "NodeCalls"],
        // What every listening socket needs
        ["SocketListening"],
        // Floor 6: the way in, the ledger, the backends
        [
            "AddressService", "SQLiteLedger", "EmbeddedNode", "CoreLightning", "LND", "Phoenixd", "HookBackend",
            "OnionPeer", "Conformance",
        ],
        // What every command of the service stands on: settings, data folder, ledger and nodes
        ["Installing"],
        // Floor 7: executables
        ["ResponderCommand", "RespondCommand", "LNURLCommand", "Benchmarks", "NotificationExtensionExample"],
    ]

    /// What answers inside an app's notification extension, and so must stay small: neither Foundation nor SwiftNIO.
    static let small: Set<String> = {
        let upToResponding = rows.prefix { !$0.contains("SocketListening") }
        let answering: Set = [
            "SQLiteLedger", "EmbeddedNode", "NodeCalls", "CoreLightning", "LND", "Phoenixd", "HookBackend",
            "Installing", "RespondCommand",
        ]
        return Set(upToResponding.joined()).union(answering)
    }()

    /// What a small room may import beside other rooms: the C library of each platform, its queues, and Swift's own atomics.
    static let platformModules: Set<String> = ["Glibc", "Musl", "Darwin", "Dispatch", "Synchronization"]

    static let all = Set(rows.joined())

    /// What other packages can use; the rest only serves the rooms above it.
    static let libraries = Set(rows.dropFirst().dropLast().joined()).subtracting([
        "Locking", "PrivateFiles", "Installing",
    ])

    static func row(of room: String) -> Int? {
        rows.firstIndex { $0.contains(room) }
    }
}
