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

/// A program. In a release it exports no symbols, and its relocations are packed and done at startup, when they can be made
/// read-only. Only programs get these flags: what other packages link is not changed.
func command(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, swiftSettings: rules,
        linkerSettings: [
            .unsafeFlags(
                [
                    "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-z",
                    "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic",
                ], .when(platforms: [.linux], configuration: .release))
        ])
}

func tests(
    of target: String, _ more: [Target.Dependency] = [], excluding folders: [String] = [],
    linkerSettings: [LinkerSetting] = []
) -> Target {
    .testTarget(
        name: target + "Tests", dependencies: [.init(stringLiteral: target), "ParallelTestLimit"] + more,
        exclude: folders,
        swiftSettings: rules, linkerSettings: linkerSettings)
}

func product(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package)
}

// The folders of Sources, lowest first. A target depends on those above it in this list only; SwiftPM refuses this file
// otherwise. What `lightning-respond` needs on SQLite is in `small`: it takes nothing from other packages, and neither
// Foundation nor SwiftNIO (Tests/PackageTests checks the imports).
let folders: [(name: String, targets: [Target])] = [
    (
        "System",
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
        "Lightning",
        [
            target("LightningCoding"),
            target("LightningCrypto", ["LightningCoding", "CSecp256k1", "COpenSSL"]),
            target("BlindedPaths", ["LightningCoding", "LightningCrypto"]),
            target("Bolt11", ["LightningCoding", "LightningCrypto"]),
            target("Bolt12", ["LightningCoding", "LightningCrypto", "BlindedPaths"]),
            target("OnionMessages", ["LightningCoding", "LightningCrypto", "BlindedPaths"]),
            target("LNURL", ["LightningCoding", "LightningCrypto"]),
        ]
    ),
    (
        "Support",
        [
            target("Platform", ["LightningCoding"]),
            target("OutboundHTTP", ["LightningCoding", "LightningCrypto", "Platform", "CCurl"]),
            target("QRCodes", ["CQREncode", "CPNG"]),
        ]
    ),
    (
        "Responder",
        [
            target(
                "ResponderModel",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12", "LNURL",
                    "OnionMessages", "OutboundHTTP",
                ]),
            target(
                "ResponderCore",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12",
                    "OnionMessages", "LNURL", "ResponderModel", "OutboundHTTP",
                ]),
        ]
    ),
    (
        "Ledgers",
        [
            target(
                "LedgerRecords",
                ["LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "LNURL", "ResponderModel"]),
            target(
                "SQLiteLedger",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt12", "ResponderModel", "LedgerRecords",
                    "CSQLite",
                ]),
            target(
                "PostgreSQLLedger",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt12", "LNURL", "ResponderModel",
                    "LedgerRecords", "SQLiteLedger", "CPostgreSQL",
                ]),
        ]
    ),
    (
        "Nodes",
        [
            target(
                "EmbeddedNode",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "ResponderModel", "LedgerRecords",
                    "SQLiteLedger",
                ]),
            target(
                "CoreLightning",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt12", "ResponderModel",
                    "OutboundHTTP",
                ]),
            target(
                "LND",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "ResponderModel", "OutboundHTTP",
                ]),
            target(
                "Phoenixd",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt12", "ResponderModel", "OutboundHTTP",
                ]),
            target(
                "HookBackend",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt12", "LNURL",
                    "ResponderModel", "OutboundHTTP",
                ]),
        ]
    ),
    (
        "AppUsers",
        [
            target(
                "Registrations",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "LNURL", "ResponderModel",
                    "OutboundHTTP", "ResponderCore", product("CoreMetrics", "swift-metrics"),
                    product("Logging", "swift-log"),
                ]),
            target(
                "Devices",
                [
                    "LightningCoding", "LightningCrypto", "LNURL", "Platform", "ResponderModel", "OutboundHTTP",
                    "ResponderCore", "Registrations", product("CoreMetrics", "swift-metrics"),
                    product("Logging", "swift-log"),
                ]),
        ]
    ),
    (
        "Servers",
        [
            target(
                "OnionPeer",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "OnionMessages", "ResponderModel",
                    product("NIOCore", "swift-nio"), product("NIOPosix", "swift-nio"),
                    product("NIOSOCKS", "swift-nio-extras"), product("Logging", "swift-log"),
                    product("CoreMetrics", "swift-metrics"),
                ]),
            target(
                "HTTPService",
                [
                    "LightningCoding", "LightningCrypto", "Platform", "LNURL", "Bolt12", "ResponderModel",
                    "OnionPeer", "ResponderCore", "Devices", "Registrations",
                    product("Hummingbird", "hummingbird"), product("HummingbirdCore", "hummingbird"),
                    product("HTTPTypes", "swift-http-types"), product("Logging", "swift-log"),
                    product("CoreMetrics", "swift-metrics"), product("NIOCore", "swift-nio"),
                    product("NIOHTTP1", "swift-nio"), product("NIOPosix", "swift-nio"),
                    product("NIOExtras", "swift-nio-extras"), product("NIOHTTPTypesHTTP1", "swift-nio-extras"),
                    product("ServiceLifecycle", "swift-service-lifecycle"),
                ], resources: [.embedInCode("Admin/admin-api.yaml")]),
        ]
    ),
    (
        "Checks",
        [
            target("Doctor", ["LightningCoding", "LightningCrypto", "Bolt11", "Bolt12", "LNURL", "OutboundHTTP"])
        ]
    ),
    (
        "Programs",
        [
            target(
                "ServiceSetup",
                [
                    "LightningCoding", "LightningCrypto", "LNURL", "Platform", "OnionMessages", "ResponderModel",
                    "OutboundHTTP", "ResponderCore", "CoreLightning", "LND", "Phoenixd", "HookBackend",
                    "CYAML", "Bolt12", "LedgerRecords", "SQLiteLedger", "PostgreSQLLedger",
                    "EmbeddedNode",
                ]),
            command(
                "ServiceCommand",
                [
                    "LightningCoding", "LightningCrypto", "BlindedPaths", "LNURL", "Platform", "Bolt12",
                    "OutboundHTTP", "OnionPeer", "OnionMessages", "ResponderModel", "ResponderCore", "LedgerRecords",
                    "Devices", "Registrations", "HTTPService", "EmbeddedNode", "ServiceSetup", "QRCodes",
                    product("ArgumentParser", "swift-argument-parser"), product("CoreMetrics", "swift-metrics"),
                    product("Logging", "swift-log"), product("ServiceLifecycle", "swift-service-lifecycle"),
                    product("UnixSignals", "swift-service-lifecycle"),
                ]),
            command(
                "OneShotCommand",
                [
                    "Platform", "LightningCoding", "LightningCrypto", "ResponderModel", "ResponderCore", "ServiceSetup",
                ]),
            command(
                "LNURLCommand",
                [
                    "ResponderModel", "Devices", "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12",
                    "BlindedPaths", "OnionMessages", "OnionPeer", "LNURL", "OutboundHTTP", "Doctor", "ResponderCore",
                    "Registrations", "QRCodes", product("ArgumentParser", "swift-argument-parser"),
                    product("Hummingbird", "hummingbird"), product("HTTPTypes", "swift-http-types"),
                    product("Logging", "swift-log"), product("NIOCore", "swift-nio"),
                    product("ServiceLifecycle", "swift-service-lifecycle"),
                ]),
            command(
                "Benchmarks",
                [
                    "LightningCoding", "LightningCrypto", "BlindedPaths", "Bolt11", "Bolt12", "OnionMessages",
                    "ResponderModel", "OutboundHTTP", "Devices", "ResponderCore", "CSecp256k1", "CCurl", "Platform",
                    product("Hummingbird", "hummingbird"),
                    product("NIOCore", "swift-nio"), product("NIOHTTP1", "swift-nio"), product("NIOPosix", "swift-nio"),
                ]),
        ]
    ),
]

let small: Set = [
    "LightningCoding", "Platform", "LightningCrypto", "BlindedPaths", "Bolt11", "LNURL", "Bolt12", "OnionMessages",
    "ResponderModel", "OutboundHTTP", "SQLiteLedger", "ResponderCore", "LedgerRecords", "EmbeddedNode",
    "CoreLightning", "LND", "Phoenixd", "HookBackend", "ServiceSetup", "OneShotCommand",
]

/// Targets that a target depends on, and products of other packages.
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
for folder in folders {
    for target in folder.targets {
        let (targets, products) = names(of: target.dependencies)
        if let wrong = targets.first(where: { !below.contains($0) }) {
            fatalError("\(target.name) depends on \(wrong), which does not stand above it")
        }
        if small.contains(target.name), let product = products.first {
            fatalError("\(target.name) must stay small, but depends on \(product)")
        }
        below.insert(target.name)
        target.path = "Sources/\(folder.name)/\(target.name)"
    }
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
    targets: folders.flatMap(\.targets) + [
        .target(name: "ParallelTestLimit", path: "Tests/ParallelTestLimit"),
        .target(name: "ChildProcesses", dependencies: ["Platform"], path: "Tests/ChildProcesses", swiftSettings: rules),
        .target(name: "Waiting", dependencies: ["Platform"], path: "Tests/Waiting", swiftSettings: rules),
        .target(name: "TemporaryFolders", path: "Tests/TemporaryFolders", swiftSettings: rules),
        .target(
            name: "LoopbackServer", dependencies: ["Platform", "ChildProcesses", "TemporaryFolders"],
            path: "Tests/LoopbackServer", swiftSettings: rules),
        .target(
            name: "PushProviders",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Platform", "ResponderModel", "Devices", "LoopbackServer",
                product("NIOCore", "swift-nio"), product("NIOPosix", "swift-nio"),
                product("NIOHTTP2", "swift-nio-http2"), product("NIOHPACK", "swift-nio-http2"),
            ], path: "Tests/PushProviders", swiftSettings: rules),
        .target(
            name: "PostgreSQLCluster", dependencies: ["ChildProcesses", "Platform", "TemporaryFolders"],
            path: "Tests/PostgreSQLCluster", swiftSettings: rules),
        // How a process such as a notification extension answers one push message; compiled so that it stays true.
        .target(
            name: "NotificationExtensionExample",
            dependencies: ["Platform", "LightningCrypto", "ResponderModel", "ResponderCore", "SQLiteLedger"],
            path: "Tests/NotificationExtensionExample", swiftSettings: rules),
        .target(
            name: "LedgerContract",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12", "LNURL",
                "ResponderModel",
            ], path: "Tests/LedgerContract", swiftSettings: rules),
        .target(
            name: "BackendContract",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "ResponderModel",
            ],
            path: "Tests/BackendContract", swiftSettings: rules),
        .target(
            name: "FakeNode",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "LoopbackServer", "BackendContract",
            ],
            path: "Tests/FakeNode", swiftSettings: rules),
        // The decoders that strangers reach, as the fuzzer and the tests of its corpus run them.
        .target(
            name: "LightningFuzzing",
            dependencies: [
                "LightningCoding", "LightningCrypto", "BlindedPaths", "Bolt11", "Bolt12", "OnionMessages", "LNURL",
            ], path: "Tests/Fuzzing/Lightning", swiftSettings: rules),
        .target(
            name: "Fuzzing",
            dependencies: [
                "LightningFuzzing", "LightningCoding", "LightningCrypto", "Platform", "ResponderModel", "ResponderCore",
                "Registrations", "Devices", "CoreLightning", "LND", "Phoenixd", "HookBackend", "ServiceSetup", "Doctor",
            ], path: "Tests/Fuzzing/Service", swiftSettings: rules),
        // Two, since the fuzzer walks after each input over the counters of all code that is linked.
        .executableTarget(
            name: "FuzzLightning", dependencies: ["LightningFuzzing"], path: "Tests/Fuzz/Lightning",
            swiftSettings: rules),
        .executableTarget(
            name: "FuzzService", dependencies: ["Fuzzing", "LightningFuzzing"], path: "Tests/Fuzz/Service",
            swiftSettings: rules),
        // What money depends on, in virtual time with faults drawn from a seed.
        .executableTarget(
            name: "Simulation",
            dependencies: [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "LNURL", "ResponderModel",
                "ResponderCore", "LedgerRecords", "SQLiteLedger", "LedgerContract", "TemporaryFolders",
            ], path: "Tests/Simulation", swiftSettings: rules),
        tests(of: "Fuzzing", ["LightningFuzzing", "LightningCoding"], excluding: ["Corpus"]),
        tests(of: "LightningCoding", ["Waiting"]),
        tests(of: "Platform", ["TemporaryFolders", "LightningCoding", "Waiting"]),
        tests(of: "LightningCrypto", ["LightningCoding", "CSecp256k1", "COpenSSL"]),
        tests(of: "BlindedPaths", ["LightningCoding", "LightningCrypto"]),
        tests(of: "Bolt11", ["LightningCoding", "LightningCrypto"]),
        tests(of: "LNURL", ["LightningCoding", "LightningCrypto", "Waiting"]),
        tests(of: "Bolt12", ["LightningCoding", "LightningCrypto", "BlindedPaths"]),
        tests(of: "OnionMessages", ["LightningCoding", "LightningCrypto", "Platform", "BlindedPaths"]),
        tests(of: "ResponderModel", ["Platform", "Waiting", "LightningCoding", "LightningCrypto", "Bolt11"]),
        tests(of: "OutboundHTTP", ["LightningCoding", "Platform", "Waiting", "LoopbackServer", "TemporaryFolders"]),
        tests(
            of: "Devices",
            [
                "LightningCoding", "LightningCrypto", "Platform", "ResponderModel", "LedgerRecords", "SQLiteLedger",
                "LedgerContract",
                "TemporaryFolders", "OutboundHTTP", "PushProviders", "Waiting",
            ]),
        tests(
            of: "Doctor",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "LNURL", "OutboundHTTP",
                "LoopbackServer",
            ]),
        tests(
            of: "Registrations",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "LNURL", "ResponderModel",
                "OutboundHTTP", "ResponderCore", "Waiting", "LoopbackServer",
            ],
            // The tests answer the lookups of names in place of the system, also those of libraries.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=getaddrinfo"], .when(platforms: [.linux]))
            ]),
        tests(of: "QRCodes", ["CPNG"]),
        tests(
            of: "ResponderCore",
            [
                "LedgerRecords", "SQLiteLedger", "Platform", "LightningCoding", "LightningCrypto", "BlindedPaths",
                "Bolt11",
                "Bolt12", "OnionMessages", "LNURL", "ResponderModel", "EmbeddedNode", "Waiting", "TemporaryFolders",
                "LedgerContract", "OutboundHTTP", "LoopbackServer",
            ]),
        tests(
            of: "SQLiteLedger",
            [
                "CSQLite", "LightningCoding", "LightningCrypto", "Bolt12", "LNURL", "ResponderModel", "LedgerRecords",
                "Platform", "TemporaryFolders", "LedgerContract",
            ]),
        tests(
            of: "PostgreSQLLedger",
            [
                "LightningCoding", "LightningCrypto", "Bolt12", "LNURL", "OutboundHTTP", "ResponderModel",
                "LedgerRecords", "SQLiteLedger", "Registrations", "Platform", "PostgreSQLCluster", "TemporaryFolders",
                "LedgerContract", "Waiting", "ChildProcesses",
            ]),
        tests(
            of: "EmbeddedNode",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "ResponderModel", "SQLiteLedger",
                "LedgerRecords", "TemporaryFolders", "BackendContract", "Waiting",
            ]),
        tests(
            of: "CoreLightning",
            [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "Bolt12", "ResponderModel",
                "BackendContract", "TemporaryFolders", "LoopbackServer", "FakeNode", "ChildProcesses",
            ]),
        tests(
            of: "HTTPService",
            [
                "OutboundHTTP", "LightningCoding", "LightningCrypto", "BlindedPaths", "Platform", "Bolt11",
                "Bolt12", "LNURL", "ResponderModel", "ResponderCore", "Devices", "PushProviders", "Registrations",
                "Waiting", "LoopbackServer", "LedgerRecords", "SQLiteLedger", "EmbeddedNode", "TemporaryFolders",
                "LedgerContract",
                "PostgreSQLCluster", "PostgreSQLLedger", product("CoreMetrics", "swift-metrics"),
                product("HTTPTypes", "swift-http-types"), product("Hummingbird", "hummingbird"),
                product("Logging", "swift-log"), product("NIOCore", "swift-nio"), product("NIOEmbedded", "swift-nio"),
                product("NIOHTTP1", "swift-nio"), product("ServiceLifecycle", "swift-service-lifecycle"),
            ]),
        tests(
            of: "OnionPeer",
            [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "OnionMessages", "Bolt12", "LNURL",
                "ResponderModel", "ResponderCore", "LedgerRecords", "SQLiteLedger", "EmbeddedNode", "CoreLightning",
                "LoopbackServer",
                "TemporaryFolders", "Waiting", product("CoreMetrics", "swift-metrics"), product("Logging", "swift-log"),
                product("NIOCore", "swift-nio"), product("NIOEmbedded", "swift-nio"), product("NIOPosix", "swift-nio"),
            ]),
        tests(
            of: "NotificationExtensionExample",
            [
                "Bolt11", "LightningCoding", "Platform", "ResponderModel", "ResponderCore", "LedgerRecords",
                "SQLiteLedger", "EmbeddedNode", "LoopbackServer", "TemporaryFolders",
            ]),
        tests(
            of: "LND",
            [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "ResponderModel",
                "OutboundHTTP", "LoopbackServer", "TemporaryFolders", "BackendContract", "FakeNode", "Waiting",
            ]),
        tests(
            of: "Phoenixd",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "Bolt12", "ResponderModel", "Waiting",
                "LoopbackServer", "TemporaryFolders", "BackendContract", "FakeNode",
            ]),
        tests(
            of: "OneShotCommand",
            [
                "LightningCoding", "LightningCrypto", "Platform", "Bolt11", "LNURL", "ResponderModel", "OutboundHTTP",
                "ResponderCore", "LedgerRecords", "SQLiteLedger", "ChildProcesses", "LoopbackServer", "Waiting",
                "FakeNode", "TemporaryFolders", "PushProviders",
            ]),
        tests(
            of: "HookBackend",
            [
                "LightningCoding", "LightningCrypto", "Platform", "BlindedPaths", "Bolt11", "ResponderModel",
                "BackendContract", "FakeNode", "LoopbackServer", "ChildProcesses", "TemporaryFolders", "Waiting",
            ]),
        tests(
            of: "ServiceSetup",
            [
                "LightningCrypto", "LNURL", "LightningCoding", "ResponderModel", "CoreLightning",
                "LedgerRecords", "OutboundHTTP", "Platform", "ResponderCore", "TemporaryFolders",
            ]),
        tests(
            of: "ServiceCommand",
            [
                "LightningCoding", "LightningCrypto", "Bolt12", "BlindedPaths", "Platform", "LNURL", "ResponderModel",
                "OnionPeer", "PostgreSQLCluster", "ResponderCore", "HTTPService", "LedgerRecords", "SQLiteLedger",
                "Devices", "PushProviders", "LedgerContract", "ServiceSetup", "QRCodes", "TemporaryFolders",
                "EmbeddedNode", "Waiting", product("ArgumentParser", "swift-argument-parser"),
                product("Hummingbird", "hummingbird"), product("Logging", "swift-log"),
                product("ServiceLifecycle", "swift-service-lifecycle"),
            ]),
        tests(
            of: "LNURLCommand",
            [
                "ResponderModel", "Devices", "LightningCoding", "LightningCrypto", "Doctor", "ChildProcesses",
                "BlindedPaths", "Bolt12", "Platform", "OnionMessages", "OnionPeer", "OutboundHTTP", "Bolt11", "LNURL",
                "Registrations", "Waiting", "LoopbackServer", "TemporaryFolders",
                product("CoreMetrics", "swift-metrics"), product("Logging", "swift-log"),
            ]),
        // The code of the DocC articles.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "LightningCoding", "LightningCrypto", "BlindedPaths", "Bolt11", "Bolt12", "LNURL", "OnionMessages",
                "ParallelTestLimit",
            ], swiftSettings: rules),
        .testTarget(
            name: "PackageTests",
            dependencies: [
                "ChildProcesses", "ServiceSetup", "LightningCoding", "LightningCrypto", "LNURL", "LNURLCommand",
                "Devices", "Doctor", "Registrations", "ResponderModel", "TemporaryFolders",
                product("ArgumentParser", "swift-argument-parser"),
            ], swiftSettings: rules),
    ]
)

// All tests are built, unless the environment names some: Scripts/test does so with a sanitizer.
if let names = Context.environment["ONLY_TESTS"]?.split(separator: " "), !names.isEmpty {
    package.targets.removeAll { target in target.type == .test && !names.contains { $0 == target.name } }
}
