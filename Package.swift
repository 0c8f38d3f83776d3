// swift-tools-version: 6.2
import PackageDescription

// One target is one room; a room imports only rooms on lower floors (Tests/PackageTests checks it).
let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func library(_ room: String) -> Product {
    .library(name: room, targets: [room])
}

func system(_ room: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: room, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: rules)
}

func command(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    linkerSettings: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, swiftSettings: rules, linkerSettings: linkerSettings)
}

func tests(of room: String, _ more: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: room + "Tests", dependencies: [.init(stringLiteral: room), "ParallelTestLimit"] + more,
        swiftSettings: rules)
}

func product(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package)
}

// How Scripts/prerequisites.bash links the programs that must stay small: the functions that each uses side by side
// (Scripts/linking), short relocations, the C++ runtime inside. Unsafe flags would keep the package from being used by
// others, so they are there only when asked for.
func slimLinking(of program: String) -> [LinkerSetting] {
    guard Context.environment["RESPONDER_SLIM"] != nil else { return [] }
    let folder = "\(Context.packageDirectory)/Scripts/linking"
    let linker = [
        "--icf=all", "-z", "pack-relative-relocs", "--no-export-dynamic", "--as-needed",
        "--symbol-ordering-file=\(folder)/\(program).order", "--no-warn-symbol-ordering",
    ]
    return [.unsafeFlags(["-use-ld=lld", "-L\(folder)"] + linker.flatMap { ["-Xlinker", $0] })]
}

let package = Package(
    name: "lightning-responder",
    platforms: [.macOS(.v15)],
    products: [
        library("LightningCoding"),
        library("LightningCrypto"),
        library("BlindedPaths"),
        library("Bolt11"),
        library("LNURL"),
        library("Bolt12"),
        library("OnionMessages"),
        library("Receiving"),
        library("OutboundHTTP"),
        library("RateLimiting"),
        library("SQLiteStorage"),
        library("QRCodes"),
        library("Responding"),
        library("Delivering"),
        library("SocketListening"),
        library("AddressService"),
        library("OnionPeer"),
        library("SQLiteLedger"),
        library("EmbeddedNode"),
        library("CoreLightning"),
        library("NodeCalls"),
        library("LND"),
        library("Phoenixd"),
        library("HookBackend"),
        library("Conformance"),
        .executable(name: "lightning-responder", targets: ["ResponderCommand"]),
        .executable(name: "lightning-respond", targets: ["RespondCommand"]),
        .executable(name: "lnurl", targets: ["LNURLCommand"]),
        .executable(name: "responder-bench", targets: ["Benchmarks"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.86.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.29.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        // Floor 0: system libraries
        system("CSecp256k1", "libsecp256k1", apt: "libsecp256k1-dev", brew: "secp256k1"),
        system("COpenSSL", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
        system("CSQLite", "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
        system("CQREncode", "libqrencode", apt: "libqrencode-dev", brew: "qrencode"),
        system("CPNG", "libpng", apt: "libpng-dev", brew: "libpng"),
        system("CYAML", "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),

        // Floor 1
        room("LightningCoding"),
        room("Locking"),
        room("PrivateFiles"),
        room("LightningCrypto", ["LightningCoding", "CSecp256k1", "COpenSSL"]),

        // Floor 2
        room("BlindedPaths", ["LightningCoding", "LightningCrypto"]),

        // Floor 3
        room("Bolt11", ["LightningCoding", "LightningCrypto"]),
        room("LNURL", ["LightningCoding", "LightningCrypto"]),
        room("Bolt12", ["LightningCoding", "LightningCrypto", "BlindedPaths"]),
        room("OnionMessages", ["LightningCoding", "LightningCrypto", "BlindedPaths"]),

        // Floor 4
        room(
            "Receiving",
            [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "Bolt11", "Bolt12", "LNURL",
                "OnionMessages",
            ]),
        room("OutboundHTTP", ["LightningCoding", "LightningCrypto", "Locking", "CCurl"]),
        room("RateLimiting", ["LightningCoding", "Locking"]),
        room("SQLiteStorage", ["LightningCoding", "Locking", "PrivateFiles", "CSQLite"]),
        room("QRCodes", ["CQREncode", "CPNG"]),

        // Floor 5
        room(
            "Responding",
            [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "Bolt11", "Bolt12", "OnionMessages",
                "LNURL", "Receiving",
            ]),

        room(
            "Delivering",
            [
                "LightningCoding", "LightningCrypto", "Locking", "PrivateFiles", "Bolt12", "LNURL", "Receiving",
                "OutboundHTTP", "Responding",
            ]),

        room("NodeCalls", ["LightningCoding", "LightningCrypto", "PrivateFiles", "Receiving", "OutboundHTTP"]),

        room("SocketListening", [product("NIOCore", "swift-nio")]),

        // Floor 6
        room(
            "AddressService",
            [
                "LightningCoding", "LightningCrypto", "BlindedPaths", "Locking", "LNURL", "Bolt12", "Receiving",
                "RateLimiting", "SocketListening",
                "Responding", "Delivering", product("Hummingbird", "hummingbird"),
                product("HummingbirdCore", "hummingbird"),
                product("HTTPTypes", "swift-http-types"), product("Logging", "swift-log"),
                product("CoreMetrics", "swift-metrics"), product("NIOCore", "swift-nio"),
                product("NIOHTTP1", "swift-nio"), product("NIOHTTPTypes", "swift-nio-extras"),
                product("NIOHTTPTypesHTTP1", "swift-nio-extras"),
                product("ServiceLifecycle", "swift-service-lifecycle"),
            ]),
        room(
            "OnionPeer",
            [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "OnionMessages", "Bolt12", "LNURL",
                "Receiving", "RateLimiting", "Responding", "SocketListening", product("NIOCore", "swift-nio"),
                product("NIOPosix", "swift-nio"),
                product("NIOSOCKS", "swift-nio-extras"), product("Logging", "swift-log"),
                product("CoreMetrics", "swift-metrics"),
            ]),
        room(
            "SQLiteLedger",
            [
                "LightningCoding", "LightningCrypto", "Locking", "Bolt11", "Bolt12", "LNURL", "Receiving",
                "SQLiteStorage",
            ]),
        room(
            "HookBackend",
            [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "Bolt12", "Receiving", "OutboundHTTP",
                "NodeCalls",
            ]),
        room(
            "EmbeddedNode",
            ["LightningCoding", "LightningCrypto", "Locking", "PrivateFiles", "Bolt11", "Receiving", "SQLiteStorage"]),
        room(
            "CoreLightning",
            [
                "LightningCoding", "LightningCrypto", "Locking", "PrivateFiles", "BlindedPaths", "Bolt12", "Receiving",
                "OutboundHTTP", "NodeCalls",
            ]),
        room(
            "LND",
            [
                "LightningCoding", "LightningCrypto", "Locking", "PrivateFiles", "BlindedPaths", "Receiving",
                "OutboundHTTP", "NodeCalls",
            ]),
        room(
            "Phoenixd",
            ["LightningCoding", "LightningCrypto", "Locking", "Bolt12", "Receiving", "OutboundHTTP", "NodeCalls"]),
        room(
            "Conformance",
            [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "OnionMessages", "Bolt11", "Bolt12",
                "LNURL",
                "Receiving", "Responding",
            ]),

        room(
            "Installing",
            [
                "LightningCoding", "LightningCrypto", "LNURL", "PrivateFiles", "Bolt12", "OnionMessages", "Receiving",
                "OutboundHTTP", "NodeCalls",
                "RateLimiting", "Responding", "Delivering", "SQLiteStorage", "SQLiteLedger", "EmbeddedNode",
                "CoreLightning", "LND", "Phoenixd", "HookBackend", "CYAML",
            ]),

        // Floor 7
        // How a process such as a notification extension answers one push message; compiled so that it stays true.
        room(
            "NotificationExtensionExample",
            [
                "LightningCoding", "LightningCrypto", "LNURL", "Receiving", "Responding", "Delivering", "SQLiteLedger",
            ]),
        command(
            "ResponderCommand",
            [
                "LightningCoding", "LightningCrypto", "BlindedPaths", "LNURL", "Locking", "PrivateFiles", "Bolt12",
                "OutboundHTTP",
                "OnionPeer", "OnionMessages", "Receiving",
                "Responding", "AddressService", "SQLiteStorage", "SQLiteLedger", "EmbeddedNode", "Installing",
                "QRCodes",
                product("ArgumentParser", "swift-argument-parser"), product("CoreMetrics", "swift-metrics"),
                product("Logging", "swift-log"), product("ServiceLifecycle", "swift-service-lifecycle"),
                product("UnixSignals", "swift-service-lifecycle"),
            ],
            linkerSettings: slimLinking(of: "lightning-responder")),
        command(
            "RespondCommand",
            ["LightningCoding", "LNURL", "Receiving", "Responding", "Delivering", "SQLiteLedger", "Installing"],
            linkerSettings: slimLinking(of: "lightning-respond")),
        command(
            "LNURLCommand",
            [
                "LightningCoding", "LightningCrypto", "PrivateFiles", "Bolt11", "Bolt12", "BlindedPaths",
                "OnionMessages", "OnionPeer", "LNURL", "OutboundHTTP", "QRCodes", "Conformance",
                product("ArgumentParser", "swift-argument-parser"),
            ]),
        command(
            "Benchmarks",
            [
                "LightningCoding", "LightningCrypto", "BlindedPaths", "Bolt11", "Bolt12", "OnionMessages", "Receiving",
                "Responding", "OutboundHTTP", "SQLiteStorage", "SQLiteLedger", "EmbeddedNode", "CSecp256k1",
            ]),

        // Tests
        .target(name: "ParallelTestLimit", path: "Tests/ParallelTestLimit"),
        .target(name: "ChildProcesses", dependencies: ["Locking"], path: "Tests/ChildProcesses", swiftSettings: rules),
        .target(name: "Waiting", path: "Tests/Waiting", swiftSettings: rules),
        .target(name: "TemporaryFolders", path: "Tests/TemporaryFolders", swiftSettings: rules),
        .target(
            name: "LoopbackServer", dependencies: ["ChildProcesses", "TemporaryFolders"], path: "Tests/LoopbackServer",
            swiftSettings: rules),
        .target(
            name: "LedgerContract",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "Bolt11", "Bolt12", "LNURL",
                "Receiving",
            ], path: "Tests/LedgerContract", swiftSettings: rules),
        .target(
            name: "BackendContract",
            dependencies: ["LightningCoding", "LightningCrypto", "Bolt11", "Bolt12", "Receiving", "Responding"],
            path: "Tests/BackendContract", swiftSettings: rules),
        .target(
            name: "PlayedNode",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Locking", "Bolt11", "Receiving", "LoopbackServer",
                "BackendContract",
            ],
            path: "Tests/PlayedNode", swiftSettings: rules),
        tests(of: "LightningCoding", ["Waiting"]),
        tests(of: "PrivateFiles", ["TemporaryFolders"]),
        tests(of: "LightningCrypto", ["LightningCoding", "CSecp256k1"]),
        tests(of: "BlindedPaths", ["LightningCoding", "LightningCrypto"]),
        tests(of: "Bolt11", ["LightningCoding", "LightningCrypto"]),
        tests(of: "LNURL", ["LightningCoding", "LightningCrypto", "Waiting"]),
        tests(of: "Bolt12", ["LightningCoding", "LightningCrypto", "BlindedPaths"]),
        tests(of: "OnionMessages", ["LightningCoding", "LightningCrypto", "Locking", "BlindedPaths"]),
        tests(of: "Receiving", ["LightningCoding", "LightningCrypto", "Bolt11", "Bolt12", "LNURL"]),
        tests(of: "OutboundHTTP", ["LightningCoding", "Waiting", "LoopbackServer", "TemporaryFolders"]),
        tests(of: "RateLimiting", ["LightningCoding"]),
        tests(
            of: "SocketListening",
            [
                "Locking", "Waiting", product("NIOCore", "swift-nio"), product("NIOEmbedded", "swift-nio"),
                product("NIOPosix", "swift-nio"),
            ]),
        tests(
            of: "Delivering",
            [
                "LightningCoding", "LightningCrypto", "Locking", "LNURL", "OutboundHTTP", "PrivateFiles", "Receiving",
                "Responding", "Waiting", "LoopbackServer", "SQLiteLedger", "LedgerContract", "TemporaryFolders",
            ]),
        tests(of: "SQLiteStorage", ["PrivateFiles", "TemporaryFolders"]),
        tests(of: "QRCodes", ["CPNG"]),
        tests(
            of: "Responding",
            [
                "Locking", "LightningCoding", "LightningCrypto", "BlindedPaths", "Bolt11", "Bolt12", "OnionMessages",
                "LNURL",
                "Receiving",
                "SQLiteLedger", "EmbeddedNode", "SQLiteStorage", "Waiting", "TemporaryFolders",
                "OutboundHTTP", "LoopbackServer",
            ]),
        tests(
            of: "SQLiteLedger",
            [
                "LightningCoding", "LightningCrypto", "Bolt11", "Bolt12", "LNURL", "Receiving", "SQLiteStorage",
                "PrivateFiles", "TemporaryFolders", "LedgerContract",
            ]),
        tests(
            of: "EmbeddedNode",
            [
                "LightningCoding", "LightningCrypto", "Locking", "Bolt11", "Receiving", "SQLiteStorage", "PrivateFiles",
                "TemporaryFolders", "BackendContract",
            ]),
        tests(
            of: "CoreLightning",
            [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "Bolt11", "Bolt12", "Receiving",
                "NodeCalls", "BackendContract", "TemporaryFolders", "LoopbackServer", "PlayedNode", "ChildProcesses",
            ]),
        tests(
            of: "AddressService",
            [
                "LightningCoding", "LightningCrypto", "BlindedPaths", "Locking", "Bolt11", "Bolt12", "LNURL",
                "Receiving",
                "RateLimiting", "Responding", "Delivering", "OutboundHTTP", "Waiting", "LoopbackServer",
                "SQLiteStorage", "SQLiteLedger", "EmbeddedNode", "TemporaryFolders",
                product("CoreMetrics", "swift-metrics"), product("HTTPTypes", "swift-http-types"),
                product("Hummingbird", "hummingbird"), product("Logging", "swift-log"), product("NIOCore", "swift-nio"),
                product("NIOEmbedded", "swift-nio"), product("ServiceLifecycle", "swift-service-lifecycle"),
            ]),
        tests(
            of: "OnionPeer",
            [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "OnionMessages", "Bolt12", "LNURL",
                "RateLimiting", "Receiving", "Responding", "SQLiteLedger", "EmbeddedNode", "CoreLightning",
                "LoopbackServer", "TemporaryFolders", "Waiting",
                product("CoreMetrics", "swift-metrics"), product("Logging", "swift-log"),
                product("NIOCore", "swift-nio"), product("NIOEmbedded", "swift-nio"), product("NIOPosix", "swift-nio"),
            ]),
        tests(
            of: "NotificationExtensionExample",
            [
                "Bolt11", "LightningCoding", "Locking", "LNURL", "Receiving", "Responding", "Delivering",
                "SQLiteLedger",
                "SQLiteStorage", "EmbeddedNode", "LoopbackServer", "TemporaryFolders",
            ]),
        tests(
            of: "LND",
            [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "Bolt11", "Bolt12", "Receiving",
                "NodeCalls", "OutboundHTTP", "LoopbackServer", "TemporaryFolders", "BackendContract", "PlayedNode",
                "Waiting",
            ]),
        tests(
            of: "Phoenixd",
            [
                "LightningCoding", "LightningCrypto", "Locking", "Bolt11", "Bolt12", "Receiving", "NodeCalls",
                "Waiting", "LoopbackServer", "TemporaryFolders", "BackendContract", "PlayedNode",
            ]),
        tests(
            of: "RespondCommand",
            [
                "LightningCoding", "LightningCrypto", "Locking", "Bolt11", "LNURL", "Receiving", "OutboundHTTP",
                "Responding",
                "AddressService", "SQLiteLedger", "ChildProcesses", "LoopbackServer", "Waiting", "PlayedNode",
                "TemporaryFolders",
            ]),
        tests(of: "Conformance", ["LightningCoding"]),
        tests(
            of: "HookBackend",
            [
                "LightningCoding", "LightningCrypto", "Locking", "BlindedPaths", "Bolt11", "Receiving",
                "BackendContract", "PlayedNode", "LoopbackServer", "ChildProcesses", "TemporaryFolders",
                "Waiting",
            ]),
        tests(
            of: "Installing",
            [
                "LightningCoding", "LightningCrypto", "Receiving", "NodeCalls", "CoreLightning", "PrivateFiles",
                "OutboundHTTP", "RateLimiting",
                "Responding", "Delivering",
                "TemporaryFolders",
            ]),
        tests(
            of: "ResponderCommand",
            [
                "LightningCoding", "LightningCrypto", "Bolt12", "BlindedPaths", "Locking", "PrivateFiles", "LNURL",
                "Receiving", "OnionPeer", "OutboundHTTP", "Responding",
                "AddressService", "SQLiteStorage", "SQLiteLedger", "Installing", "QRCodes", "TemporaryFolders",
                product("ArgumentParser", "swift-argument-parser"), product("Logging", "swift-log"),
            ]),
        tests(
            of: "LNURLCommand",
            [
                "LightningCoding", "LightningCrypto", "ChildProcesses", "BlindedPaths", "Bolt12", "Locking",
                "OnionMessages", "OnionPeer", "OutboundHTTP", "PrivateFiles", "Bolt11", "LNURL", "Waiting",
                "LoopbackServer",
                "TemporaryFolders", product("CoreMetrics", "swift-metrics"), product("Logging", "swift-log"),
            ]),
        .testTarget(
            name: "PackageTests",
            dependencies: [
                "ChildProcesses", "Installing", "LightningCoding", "LNURLCommand", "TemporaryFolders",
                product("ArgumentParser", "swift-argument-parser"),
            ], swiftSettings: rules),
    ]
)
