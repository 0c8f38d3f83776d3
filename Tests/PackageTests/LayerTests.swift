import Foundation
import Testing

@Suite("Layers", .timeLimit(.minutes(5)))
struct LayerTests {
    private let manifest: Manifest

    init() throws { manifest = Manifest(try Repository.manifest()) }

    /// What every target may import: each platform's C library, Dispatch, and Swift's own atomics.
    private static let platform: Set = ["Glibc", "Musl", "Darwin", "Dispatch", "Synchronization"]

    @Test("Every folder below a folder of Sources is a target")
    func everyFolderIsATarget() throws {
        let systemLibraries = try Repository.targets().keys.filter {
            $0.hasPrefix("C") && manifest.dependencies[$0] == nil
        }
        #expect(Set(manifest.dependencies.keys) == Set(try Repository.targets().keys).subtracting(systemLibraries))
        #expect(systemLibraries.allSatisfy { $0.dropFirst().first?.isUppercase == true })
    }

    @Test("A target imports only its dependencies; a small one neither Foundation nor SwiftNIO")
    func imports() throws {
        let folders = try Repository.targets()
        for (target, dependencies) in manifest.dependencies {
            var allowed = dependencies.union(Self.platform)
            if !manifest.small.contains(target) { allowed.formUnion(["Foundation", "FoundationEssentials"]) }
            let surplus = try Repository.imports(below: #require(folders[target])).subtracting(allowed)
            #expect(surplus.isEmpty, "\(target) imports \(surplus.sorted())")
        }
        #expect(manifest.small.isSubset(of: manifest.dependencies.keys))
        #expect(manifest.small.contains("ResponderCore") && !manifest.small.contains("HTTPService"))
    }

    @Test("Small is what answers one notification with a ledger in SQLite, and nothing else")
    func small() {
        var needed: Set = ["OneShotCommand"]
        var rest = needed
        while let target = rest.popFirst() {
            let more = (manifest.dependencies[target] ?? []).intersection(manifest.dependencies.keys)
            // Linked, but not used with SQLite.
            rest.formUnion(more.subtracting(needed).subtracting(["PostgreSQLLedger"]))
            needed.formUnion(rest)
        }
        #expect(manifest.small == needed)
    }

    @Test("The example of a notification extension depends only on small targets")
    func extensionStaysSmall() throws {
        let needed = try Repository.imports(below: Repository.example)
        #expect(needed.contains("ResponderCore"))
        let surplus = needed.subtracting(manifest.small).subtracting(Self.platform)
        #expect(surplus.isEmpty, "\(surplus.sorted())")
    }

    @Test("The targets in Lightning are the products, and depend on nothing else")
    func librariesAreProducts() throws {
        let folders = try Repository.targets()
        #expect(manifest.libraries == Set(folders.filter { $0.value.pathComponents.contains("Lightning") }.keys))
        for library in manifest.libraries {
            let others = try #require(manifest.dependencies[library]).subtracting(manifest.libraries)
            #expect(others.isSubset(of: ["CSecp256k1", "COpenSSL"]))
        }
    }
}
