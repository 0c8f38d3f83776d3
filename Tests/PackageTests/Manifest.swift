/// The contents of Package.swift, parsed as text: asking SwiftPM would wait for the build that is running this test.
/// Package.swift itself checks that targets depend only on lower layers.
struct Manifest {
    /// The dependencies of each target: targets, and products of other packages. System libraries are not among the
    /// keys.
    let dependencies: [String: Set<String>]
    /// The targets that answer a notification in a small process.
    let small: Set<String>
    /// The programs, on which nothing depends.
    let programs: Set<String>
    /// The libraries that other packages can use.
    let libraries: Set<String>

    init(_ text: String) {
        func part(from start: String, to end: String) -> Substring {
            let rest = text.firstRange(of: start).map { text[$0.upperBound...] } ?? ""
            return rest.firstRange(of: end).map { rest[..<$0.lowerBound] } ?? rest
        }
        func names(in text: Substring) -> Set<String> { Set(text.matches(of: /"([\w-]+)"/).map { String($0.1) }) }

        let folders = part(from: "let folders:", to: "\n]\n")
        // The dependencies are between a target's name and the next declaration, up to its settings.
        let heads = folders.matches(of: /\b(system|target|command)\(\s*"(\w+)"/)
        var dependencies: [String: Set<String>] = [:]
        for (index, head) in heads.enumerated() where head.1 != "system" {
            let end = index + 1 < heads.count ? heads[index + 1].range.lowerBound : folders.endIndex
            let declared = folders[head.range.upperBound..<end]
            let settings = declared.firstRange(of: "linkerSettings:") ?? declared.firstRange(of: "\n    (\n")
            dependencies[String(head.2)] = names(in: settings.map { declared[..<$0.lowerBound] } ?? declared)
        }
        self.dependencies = dependencies
        small = names(in: part(from: "let small: Set = [", to: "]"))
        programs = names(in: part(from: "\"Programs\"", to: "\n]\n")).intersection(dependencies.keys)
            .subtracting(dependencies.values.joined())
        libraries = Set(text.matches(of: /library\("(\w+)"\)/).map { String($0.1) })
    }
}
