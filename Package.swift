// swift-tools-version: 6.2
import PackageDescription

let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func library(_ target: String) -> Product {
    .library(name: target, targets: [target])
}

func system(_ target: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: target, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

func target(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: rules)
}

func command(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: rules)
}

func tests(
    of target: String, _ more: [Target.Dependency] = [], linkerSettings: [LinkerSetting] = []
) -> Target {
    .testTarget(
        name: target + "Tests", dependencies: [.init(stringLiteral: target), "ParallelTestLimit"] + more,
        swiftSettings: rules, linkerSettings: linkerSettings)
}

func product(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package)
}

// The layers, lowest first. A target depends on targets of lower layers only; SwiftPM refuses this file otherwise.
// What answers a notification in a small process is in `small`: it takes nothing from other packages, and neither Foundation
// nor SwiftNIO (Tests/PackageTests checks the imports).
let layers: [(name: String, targets: [Target])] = [
    (
        "system libraries",
        [
            system("CSecp256k1", "libsecp256k1", apt: "libsecp256k1-dev", brew: "secp256k1"),
            system("COpenSSL", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
            system("CCurl", "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
            system("CSQLite", "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
            system("CPostgreSQL", "libpq", apt: "libpq-dev", brew: "libpq"),
            system("CQREncode", "libqrencode", apt: "libqrencode-dev", brew: "qrencode"),
            system("CPNG", "libpng", apt: "libpng-dev", brew: "libpng"),
            system("CYAML", "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
        ]
    ),
    (
        "codes and the platform",
        [
            target("LightningCoding"),
            target("Platform"),
            target("MarkupWriting"),
        ]
    ),
    (
        "keys",
        [
            target("LightningCrypto", ["LightningCoding", "CSecp256k1", "COpenSSL"])
        ]
    ),
    (
        "blinded paths",
        [
            target("BlindedPaths", ["LightningCoding", "LightningCrypto"])
        ]
    ),
    (
        "documents: values and codecs without I/O",
        [
            target("Bolt11", ["LightningCoding", "LightningCrypto"]),
            target("LNURL", ["LightningCoding", "LightningCrypto"]),
            target("Bolt12", ["LightningCoding", "LightningCrypto", "BlindedPaths"]),
            target("OnionMessages", ["LightningCoding", "LightningCrypto", "BlindedPaths"]),
        ]
    ),
    (
        "contracts, and what stands on a C library or on nothing",
        [
            target(
                "Contracts",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12", "LNURL",
                    "OnionMessages",
                ]),
            target("OutboundHTTP", ["LightningCoding", "LightningCrypto", "Platform", "CCurl"]),
            target("RateLimiting", ["LightningCoding", "Platform"]),
            target("SQLiteStorage", ["LightningCoding", "Platform", "CSQLite"]),
            target("PostgreSQLStorage", ["LightningCoding", "Platform", "CPostgreSQL"]),
            target("QRCodes", ["CQREncode", "CPNG"]),
        ]
    ),
    (
        "records of a ledger",
        [
            target(
                "LedgerRecords",
                [
                    "LightningCoding", "LightningCrypto", "Bolt11", "Bolt12", "LNURL", "Contracts",
                ])
        ]
    ),
    (
        "the ledger in a file",
        [
            target(
                "SQLiteLedger",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt12", "LNURL", "Contracts",
                    "LedgerRecords", "SQLiteStorage",
                ])
        ]
    ),
    (
        "push messages",
        [
            target("Push", ["LightningCoding", "LightningCrypto", "Platform", "OutboundHTTP"])
        ]
    ),
    (
        "calls to nodes",
        [
            target(
                "Nodes",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12",
                    "Contracts", "OutboundHTTP",
                ])
        ]
    ),
    (
        "devices",
        [
            target("Devices", ["LightningCoding", "LightningCrypto", "Platform", "Contracts", "Push"])
        ]
    ),
    (
        "checks of other people's services",
        [
            target(
                "Doctor",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "BlindedPaths", "LNURL",
                    "OutboundHTTP",
                ])
        ]
    ),
    (
        "application",
        [
            target(
                "ResponderCore",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12",
                    "OnionMessages", "LNURL", "Contracts", "Nodes",
                ])
        ]
    ),
    (
        "notifications",
        [
            target(
                "Notifications",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "LNURL", "Contracts",
                    "OutboundHTTP", "ResponderCore",
                ])
        ]
    ),
    (
        "registrations",
        [
            target(
                "Registrations",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "LNURL", "Contracts",
                    "OutboundHTTP", "ResponderCore", "Notifications",
                ])
        ]
    ),
    (
        "listening sockets",
        [
            target("SocketListening", [product("NIOCore", "swift-nio")])
        ]
    ),
    (
        "adapters and interfaces",
        [
            target(
                "HTTPService",
                [
                    "LightningCoding", "LightningCrypto", "BlindedPaths", "Platform", "LNURL", "Bolt12", "Contracts",
                    "RateLimiting", "SocketListening", "ResponderCore", "Notifications", "Push", "Devices",
                    "Registrations", "OutboundHTTP", "MarkupWriting",
                    product("Hummingbird", "hummingbird"), product("HummingbirdCore", "hummingbird"),
                    product("HTTPTypes", "swift-http-types"), product("Logging", "swift-log"),
                    product("CoreMetrics", "swift-metrics"), product("NIOCore", "swift-nio"),
                    product("NIOHTTP1", "swift-nio"), product("NIOHTTPTypes", "swift-nio-extras"),
                    product("NIOHTTPTypesHTTP1", "swift-nio-extras"),
                    product("ServiceLifecycle", "swift-service-lifecycle"),
                ], resources: [.embedInCode("Admin/admin-api.yaml")]),
            target(
                "OnionPeer",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "OnionMessages", "Contracts",
                    "RateLimiting", "SocketListening", product("NIOCore", "swift-nio"),
                    product("NIOPosix", "swift-nio"), product("NIOSOCKS", "swift-nio-extras"),
                    product("Logging", "swift-log"), product("CoreMetrics", "swift-metrics"),
                ]),
            target(
                "PostgreSQLLedger",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt12", "LNURL", "Contracts",
                    "LedgerRecords", "SQLiteLedger", "PostgreSQLStorage",
                ]),
            target(
                "HookBackend",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt12", "LNURL", "Contracts",
                    "OutboundHTTP", "Nodes",
                ]),
            target(
                "EmbeddedNode",
                ["LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Contracts", "SQLiteStorage"]),
            target(
                "CoreLightning",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt12", "Contracts",
                    "OutboundHTTP", "Nodes",
                ]),
            target(
                "LND",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Contracts", "OutboundHTTP",
                    "Nodes",
                ]),
            target(
                "Phoenixd",
                ["LightningCoding", "LightningCrypto", "Platform", "Bolt12", "Contracts", "OutboundHTTP", "Nodes"]),
            target(
                "Conformance",
                [
                    "Devices", "Doctor", "OutboundHTTP", "Push", "Notifications", "Registrations", "LightningCoding",
                    "LightningCrypto", "Platform", "BlindedPaths",
                    "OnionMessages", "Bolt11", "Bolt12", "LNURL", "Contracts", "ResponderCore",
                ]),
        ]
    ),
    (
        "settings, and the kinds of nodes",
        [
            target(
                "Settings",
                [
                    "LightningCoding", "LightningCrypto", "LNURL", "Platform", "OnionMessages", "Contracts",
                    "OutboundHTTP",
                    "Nodes", "RateLimiting", "ResponderCore", "Notifications", "CoreLightning", "LND", "Phoenixd",
                    "HookBackend", "CYAML",
                ])
        ]
    ),
    (
        "data folder, ledger and nodes of an installation",
        [
            target(
                "ServiceSetup",
                [
                    "LightningCoding", "LightningCrypto", "LNURL", "Platform", "Bolt12", "Contracts", "OutboundHTTP",
                    "Nodes", "ResponderCore", "Notifications", "Registrations", "LedgerRecords", "SQLiteStorage",
                    "SQLiteLedger", "PostgreSQLStorage", "PostgreSQLLedger", "EmbeddedNode",
                    "Settings",
                ])
        ]
    ),
    (
        "programs",
        [
            // How a process such as a notification extension answers one push message; compiled so that it stays true.
            target(
                "NotificationExtensionExample",
                [
                    "Platform", "LightningCoding", "LightningCrypto", "Contracts", "ResponderCore", "Notifications",
                    "SQLiteLedger",
                ]),
            command(
                "ServiceCommand",
                [
                    "Nodes", "LightningCoding", "LightningCrypto", "BlindedPaths", "LNURL", "Platform", "Bolt12",
                    "OutboundHTTP", "RateLimiting", "OnionPeer", "OnionMessages", "Contracts", "ResponderCore",
                    "Notifications", "Push", "Devices", "Registrations", "HTTPService", "EmbeddedNode", "Settings",
                    "ServiceSetup", "QRCodes", product("ArgumentParser", "swift-argument-parser"),
                    product("CoreMetrics", "swift-metrics"), product("Logging", "swift-log"),
                    product("ServiceLifecycle", "swift-service-lifecycle"),
                    product("UnixSignals", "swift-service-lifecycle"),
                ]),
            command(
                "OneShotCommand",
                [
                    "Platform", "LightningCoding", "LNURL", "Contracts", "ResponderCore", "Notifications",
                    "Settings", "ServiceSetup",
                ]),
            command(
                "LNURLCommand",
                [
                    "Contracts", "Devices", "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12",
                    "BlindedPaths",
                    "OnionMessages", "OnionPeer", "LNURL", "OutboundHTTP", "Doctor", "Notifications", "Registrations",
                    "QRCodes", "Conformance",
                    product("ArgumentParser", "swift-argument-parser"),
                ]),
            command(
                "Benchmarks",
                [
                    "LightningCoding", "LightningCrypto", "BlindedPaths", "Bolt11", "Bolt12", "OnionMessages",
                    "Contracts", "LNURL", "OutboundHTTP", "Push", "ResponderCore", "SQLiteLedger", "EmbeddedNode",
                    "CSecp256k1", "CCurl", "Platform", product("Hummingbird", "hummingbird"),
                    product("NIOCore", "swift-nio"),
                ]),
        ]
    ),
]

let small: Set = [
    "LightningCoding", "Platform", "LightningCrypto", "BlindedPaths", "Bolt11", "LNURL", "Bolt12", "OnionMessages",
    "Contracts", "OutboundHTTP", "RateLimiting", "SQLiteStorage", "PostgreSQLStorage", "QRCodes", "Devices",
    "MarkupWriting", "Doctor", "ResponderCore", "Notifications", "Push", "Registrations", "Nodes", "LedgerRecords",
    "SQLiteLedger",
    "PostgreSQLLedger", "EmbeddedNode", "CoreLightning", "LND", "Phoenixd", "HookBackend", "Settings",
    "ServiceSetup", "OneShotCommand",
]

/// Targets of lower layers that a target depends on, and products of other packages.
func names(of dependencies: [Target.Dependency]) -> (targets: [String], products: [String]) {
    dependencies.reduce(into: ([], [])) { names, dependency in
        switch dependency {
        case .productItem(let name, _, _, _): names.1.append(name)
        case .targetItem(let name, _), .byNameItem(let name, _): names.0.append(name)
        @unknown default: break
        }
    }
}

var below: Set<String> = []
for layer in layers {
    for target in layer.targets {
        let (targets, products) = names(of: target.dependencies)
        if let wrong = targets.first(where: { !below.contains($0) }) {
            fatalError("\(target.name) depends on \(wrong), which is not in a layer below \"\(layer.name)\"")
        }
        if small.contains(target.name), let product = products.first {
            fatalError("\(target.name) must stay small, but depends on \(product)")
        }
    }
    below.formUnion(layer.targets.map(\.name))
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
        library("Contracts"),
        library("OutboundHTTP"),
        library("RateLimiting"),
        library("SQLiteStorage"),
        library("PostgreSQLStorage"),
        library("QRCodes"),
        library("Devices"),
        library("MarkupWriting"),
        library("Doctor"),
        library("Push"),
        library("Nodes"),
        library("ResponderCore"),
        library("Notifications"),
        library("Registrations"),
        library("SocketListening"),
        library("HTTPService"),
        library("OnionPeer"),
        library("LedgerRecords"),
        library("SQLiteLedger"),
        library("PostgreSQLLedger"),
        library("EmbeddedNode"),
        library("CoreLightning"),
        library("LND"),
        library("Phoenixd"),
        library("HookBackend"),
        library("Conformance"),
        .executable(name: "lightning-responder", targets: ["ServiceCommand"]),
        .executable(name: "lightning-respond", targets: ["OneShotCommand"]),
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
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.40.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: layers.flatMap(\.targets) + [
        .target(name: "ParallelTestLimit", path: "Tests/ParallelTestLimit"),
        .target(name: "ChildProcesses", dependencies: ["Platform"], path: "Tests/ChildProcesses", swiftSettings: rules),
        .target(name: "Waiting", dependencies: ["Platform"], path: "Tests/Waiting", swiftSettings: rules),
        .target(name: "TemporaryFolders", path: "Tests/TemporaryFolders", swiftSettings: rules),
        .target(
            name: "LoopbackServer", dependencies: ["ChildProcesses", "TemporaryFolders"], path: "Tests/LoopbackServer",
            swiftSettings: rules),
        .target(
            name: "PushProviders",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Platform", "Push", "LoopbackServer",
                product("NIOCore", "swift-nio"), product("NIOPosix", "swift-nio"),
                product("NIOHTTP2", "swift-nio-http2"), product("NIOHPACK", "swift-nio-http2"),
            ], path: "Tests/PushProviders", swiftSettings: rules),
        .target(
            name: "PostgreSQLCluster", dependencies: ["ChildProcesses", "Platform", "TemporaryFolders"],
            path: "Tests/PostgreSQLCluster", swiftSettings: rules),
        .target(
            name: "LedgerContract",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12", "LNURL",
                "Contracts",
            ], path: "Tests/LedgerContract", swiftSettings: rules),
        .target(
            name: "BackendContract",
            dependencies: ["LightningCoding", "LightningCrypto", "Bolt11", "Bolt12", "Contracts", "Nodes"],
            path: "Tests/BackendContract", swiftSettings: rules),
        .target(
            name: "FakeNode",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Contracts", "LoopbackServer",
                "BackendContract",
            ],
            path: "Tests/FakeNode", swiftSettings: rules),
        tests(of: "LightningCoding", ["Waiting"]),
        tests(of: "MarkupWriting"),
        tests(of: "Platform", ["TemporaryFolders"]),
        tests(of: "LightningCrypto", ["LightningCoding", "CSecp256k1"]),
        tests(of: "BlindedPaths", ["LightningCoding", "LightningCrypto"]),
        tests(of: "Bolt11", ["LightningCoding", "LightningCrypto"]),
        tests(of: "LNURL", ["LightningCoding", "LightningCrypto", "Waiting"]),
        tests(of: "Bolt12", ["LightningCoding", "LightningCrypto", "BlindedPaths"]),
        tests(of: "OnionMessages", ["LightningCoding", "LightningCrypto", "Platform", "BlindedPaths"]),
        tests(of: "Contracts", ["LightningCoding", "LightningCrypto", "Bolt11", "Bolt12", "LNURL"]),
        tests(of: "OutboundHTTP", ["LightningCoding", "Platform", "Waiting", "LoopbackServer", "TemporaryFolders"]),
        tests(of: "RateLimiting", ["LightningCoding"]),
        tests(
            of: "Devices",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Contracts", "SQLiteLedger", "LedgerContract",
                "TemporaryFolders",
            ]),
        tests(
            of: "Doctor",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "BlindedPaths", "LNURL",
                "OutboundHTTP", "LoopbackServer", "ChildProcesses", "TemporaryFolders",
            ]),
        tests(
            of: "Push",
            [
                "LightningCoding", "LightningCrypto", "Platform", "OutboundHTTP", "PushProviders", "TemporaryFolders",
                "Waiting",
            ]),
        tests(
            of: "SocketListening",
            [
                "Platform", "Waiting", product("NIOCore", "swift-nio"), product("NIOEmbedded", "swift-nio"),
                product("NIOPosix", "swift-nio"),
            ]),
        tests(
            of: "Notifications",
            [
                "LightningCoding", "LightningCrypto", "Platform", "LNURL", "OutboundHTTP", "Contracts", "Waiting",
                "LoopbackServer", "SQLiteLedger", "LedgerContract", "TemporaryFolders",
            ]),
        tests(
            of: "Registrations",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "LNURL", "Contracts",
                "OutboundHTTP", "ResponderCore", "Notifications", "Waiting", "LoopbackServer",
            ],
            // The tests answer the lookups of names in place of the system, also those of libraries.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=getaddrinfo"], .when(platforms: [.linux]))
            ]),
        tests(of: "SQLiteStorage", ["Platform", "TemporaryFolders"]),
        tests(
            of: "PostgreSQLStorage",
            ["ChildProcesses", "LightningCoding", "Platform", "PostgreSQLCluster", "TemporaryFolders", "Waiting"]),
        tests(of: "QRCodes", ["CPNG"]),
        tests(
            of: "ResponderCore",
            [
                "SQLiteStorage", "Notifications", "Nodes", "Platform", "LightningCoding", "LightningCrypto",
                "BlindedPaths", "Bolt11",
                "Bolt12", "OnionMessages", "LNURL", "Contracts", "SQLiteLedger", "EmbeddedNode", "Waiting",
                "TemporaryFolders", "LedgerContract",
            ]),
        tests(
            of: "SQLiteLedger",
            [
                "LightningCoding", "LightningCrypto", "Bolt11", "Bolt12", "LNURL", "Contracts", "LedgerRecords",
                "SQLiteStorage",
                "Platform", "TemporaryFolders", "LedgerContract",
            ]),
        tests(
            of: "PostgreSQLLedger",
            [
                "LightningCoding", "LightningCrypto", "Bolt12", "LNURL", "OutboundHTTP", "Contracts", "LedgerRecords",
                "PostgreSQLStorage", "SQLiteLedger", "Registrations",
                "Platform", "PostgreSQLCluster", "TemporaryFolders", "LedgerContract", "Waiting",
            ]),
        tests(
            of: "EmbeddedNode",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Contracts", "SQLiteStorage",
                "TemporaryFolders", "BackendContract",
            ]),
        tests(
            of: "CoreLightning",
            [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12", "Contracts",
                "Nodes", "BackendContract", "TemporaryFolders", "LoopbackServer", "FakeNode", "ChildProcesses",
            ]),
        tests(
            of: "HTTPService",
            [
                "OutboundHTTP", "Nodes", "LightningCoding", "LightningCrypto", "BlindedPaths", "Platform", "Bolt11",
                "Bolt12",
                "LNURL", "Contracts", "RateLimiting", "ResponderCore", "Notifications", "Push", "PushProviders",
                "Devices",
                "Registrations", "Waiting", "LoopbackServer", "SQLiteLedger", "EmbeddedNode", "TemporaryFolders",
                "LedgerContract", "PostgreSQLCluster", "PostgreSQLLedger", "PostgreSQLStorage",
                product("CoreMetrics", "swift-metrics"),
                product("HTTPTypes", "swift-http-types"), product("Hummingbird", "hummingbird"),
                product("Logging", "swift-log"), product("NIOCore", "swift-nio"),
                product("NIOEmbedded", "swift-nio"), product("NIOHTTPTypes", "swift-nio-extras"),
                product("ServiceLifecycle", "swift-service-lifecycle"),
            ]),
        tests(
            of: "OnionPeer",
            [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "OnionMessages", "Bolt12", "LNURL",
                "RateLimiting", "Contracts", "ResponderCore", "SQLiteLedger", "EmbeddedNode", "CoreLightning",
                "LoopbackServer", "TemporaryFolders", "Waiting", product("CoreMetrics", "swift-metrics"),
                product("Logging", "swift-log"), product("NIOCore", "swift-nio"),
                product("NIOEmbedded", "swift-nio"), product("NIOPosix", "swift-nio"),
            ]),
        tests(
            of: "NotificationExtensionExample",
            [
                "Bolt11", "LightningCoding", "Platform", "LNURL", "Contracts", "ResponderCore", "Notifications",
                "SQLiteLedger", "SQLiteStorage", "EmbeddedNode", "LoopbackServer", "TemporaryFolders",
            ]),
        tests(
            of: "LND",
            [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12", "Contracts",
                "Nodes", "OutboundHTTP", "LoopbackServer", "TemporaryFolders", "BackendContract", "FakeNode",
                "Waiting",
            ]),
        tests(
            of: "Phoenixd",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "Contracts", "Nodes",
                "Waiting", "LoopbackServer", "TemporaryFolders", "BackendContract", "FakeNode",
            ]),
        tests(
            of: "OneShotCommand",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "LNURL", "Contracts", "OutboundHTTP",
                "ResponderCore", "HTTPService", "SQLiteLedger", "ChildProcesses", "LoopbackServer", "Waiting",
                "FakeNode", "TemporaryFolders", "PushProviders",
            ]),
        tests(of: "Conformance", ["LightningCoding"]),
        tests(
            of: "HookBackend",
            [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Contracts",
                "BackendContract", "FakeNode", "LoopbackServer", "ChildProcesses", "TemporaryFolders", "Waiting",
            ]),
        tests(
            of: "Settings",
            [
                "LightningCrypto", "LNURL", "ServiceSetup", "LightningCoding", "Contracts", "Nodes", "CoreLightning",
                "OutboundHTTP", "RateLimiting", "Notifications",
            ]),
        tests(
            of: "ServiceSetup",
            [
                "LightningCoding", "Contracts", "Platform", "Settings", "TemporaryFolders",
            ]),
        tests(of: "Nodes", ["Platform", "Contracts", "Waiting"]),
        tests(
            of: "ServiceCommand",
            [
                "LightningCoding", "LightningCrypto", "Bolt12", "BlindedPaths", "Platform", "LNURL", "Contracts",
                "OnionPeer", "PostgreSQLCluster", "OutboundHTTP", "ResponderCore", "HTTPService", "SQLiteStorage",
                "SQLiteLedger", "Push", "PushProviders", "LedgerContract",
                "Settings", "ServiceSetup", "QRCodes", "TemporaryFolders", "EmbeddedNode", "Waiting",
                product("ArgumentParser", "swift-argument-parser"), product("Logging", "swift-log"),
                product("ServiceLifecycle", "swift-service-lifecycle"),
            ]),
        tests(
            of: "LNURLCommand",
            [
                "Contracts", "Devices", "LightningCoding", "LightningCrypto", "Doctor", "ChildProcesses",
                "BlindedPaths", "Bolt12",
                "Platform", "OnionMessages", "OnionPeer", "OutboundHTTP", "Bolt11", "LNURL", "Registrations", "Waiting",
                "LoopbackServer", "TemporaryFolders", product("CoreMetrics", "swift-metrics"),
                product("Logging", "swift-log"),
            ]),
        // The code of the DocC articles.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "LightningCoding", "LightningCrypto", "BlindedPaths", "Bolt11", "Bolt12", "LNURL", "OnionMessages",
                "Contracts", "ResponderCore", "SQLiteLedger", "ParallelTestLimit", "TemporaryFolders",
            ], swiftSettings: rules),
        .testTarget(
            name: "PackageTests",
            dependencies: [
                "ChildProcesses", "HTTPService", "Settings", "ServiceSetup", "LightningCoding", "LNURLCommand",
                "Doctor",
                "TemporaryFolders", product("ArgumentParser", "swift-argument-parser"),
            ], swiftSettings: rules),
    ]
)
