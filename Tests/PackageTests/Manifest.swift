/// What Package.swift says, read as text: asking SwiftPM would wait for the build that is running this test.
struct Manifest {
    /// The rooms that each room depends on, and the products of other packages that it takes.
    let dependencies: [String: Set<String>]
    /// The libraries that other packages can use.
    let libraries: Set<String>

    init(_ text: String) {
        // A target is declared by one of the manifest's own short functions or in SwiftPM's long form; what stands
        // between its name and the next declaration, up to its settings, are its dependencies.
        let declaration = /(?:\b(room|system|command|tests)|\.(\w*[tT]arget))\(\s*(?:name: |of: )?"(\w+)"/
        let targets = text.firstRange(of: "\n    targets: [").map { text[$0.upperBound...] } ?? ""
        let heads = targets.matches(of: declaration)
        var dependencies: [String: Set<String>] = [:]
        for (index, head) in heads.enumerated() {
            let isTest = head.1 == "tests" || head.2 == "testTarget"
            let end = index + 1 < heads.count ? heads[index + 1].range.lowerBound : targets.endIndex
            let declared = targets[head.range.upperBound..<end]
            let body = declared.firstRange(of: "linkerSettings:").map { declared[..<$0.lowerBound] } ?? declared
            if isTest || head.1 == "system" || body.contains(#"path: "Tests/"#) { continue }
            dependencies[String(head.3)] = Set(body.matches(of: /"([\w-]+)"/).map { String($0.1) })
        }
        self.dependencies = dependencies
        libraries = Set(text.matches(of: /library\("(\w+)"\)/).map { String($0.1) })
    }
}
