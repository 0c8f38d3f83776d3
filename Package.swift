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

func tests(of room: String, _ more: [Target.Dependency] = []) -> Target {
    .testTarget(name: room + "Tests", dependencies: [.init(stringLiteral: room)] + more, swiftSettings: rules)
}

let package = Package(
    name: "lightning-responder",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        library("LightningCoding"),
        library("Conformance"),
        library("LightningCrypto"),
        library("LNURL"),
        library("OutboundHTTP"),
        library("QRCodes"),
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
        room("LightningCrypto", ["LightningCoding", "CSecp256k1", "COpenSSL"]),
        tests(of: "LightningCrypto", ["LightningCoding"]),
        room("Locking"),
        tests(of: "LightningCoding"),

        // Floor 6
        room("Conformance", ["LightningCoding"]),
        tests(of: "Conformance", ["LightningCoding"]),

        // Floor 3
        room("LNURL", ["LightningCoding", "LightningCrypto"]),
        tests(of: "LNURL", ["LightningCoding", "LightningCrypto"]),

        // Floor 4
        room("OutboundHTTP", ["LightningCoding", "Locking", "CCurl"]),
        room("QRCodes", ["CQREncode", "CPNG"]),

        // Tests
        .target(name: "LoopbackServer", path: "Tests/LoopbackServer", swiftSettings: rules),
        tests(of: "OutboundHTTP", ["LightningCoding", "LoopbackServer"]),
        tests(of: "QRCodes", ["CPNG"]),

        // The package as a whole
        .testTarget(name: "PackageTests", swiftSettings: rules),
    ]
)
