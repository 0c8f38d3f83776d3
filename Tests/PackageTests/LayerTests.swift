import Testing

@Suite("Layers", .timeLimit(.minutes(1)))
struct LayerTests {
    private let manifest: Manifest

    init() throws { manifest = Manifest(try Repository.manifest()) }

    /// What every target may import: each platform's C library, Dispatch, and Swift's own atomics.
    private static let platform: Set = ["Glibc", "Musl", "Darwin", "Dispatch", "Synchronization"]

    @Test("Every folder in Sources is a target of a layer")
    func everyFolderIsATarget() throws {
        let systemLibraries = try Repository.targets().filter { $0.hasPrefix("C") && manifest.dependencies[$0] == nil }
        #expect(Set(manifest.dependencies.keys) == Set(try Repository.targets()).subtracting(systemLibraries))
        #expect(systemLibraries.allSatisfy { $0.dropFirst().first?.isUppercase == true })
    }

    @Test("A target imports only its dependencies; a small one neither Foundation nor SwiftNIO")
    func imports() throws {
        for (target, dependencies) in manifest.dependencies {
            var allowed = dependencies.union(Self.platform)
            if !manifest.small.contains(target) { allowed.formUnion(["Foundation", "FoundationEssentials"]) }
            let surplus = try Repository.imports(of: target).subtracting(allowed)
            #expect(surplus.isEmpty, "\(target) imports \(surplus.sorted())")
        }
        #expect(manifest.small.isSubset(of: manifest.dependencies.keys))
        #expect(manifest.small.contains("ResponderCore") && !manifest.small.contains("HTTPService"))
    }

    @Test("The example of a notification extension depends only on small targets")
    func extensionStaysSmall() throws {
        let needed = try #require(manifest.dependencies["NotificationExtensionExample"])
        #expect(needed.contains("ResponderCore"))
        #expect(needed.isSubset(of: manifest.small), "\(needed.subtracting(manifest.small).sorted())")
    }

    @Test("Every target usable by other packages is a product")
    func librariesAreProducts() {
        let libraries = Set(manifest.dependencies.keys).subtracting(manifest.programs)
        #expect(manifest.libraries == libraries.subtracting(["Platform", "Settings", "ServiceSetup"]))
    }
}
