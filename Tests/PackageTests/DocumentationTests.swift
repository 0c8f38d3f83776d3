import Foundation
import Testing

@Suite("Documentation", .timeLimit(.minutes(5)))
struct DocumentationTests {
    @Test("Every public declaration, and every case of a public enum, is documented")
    func everythingPublicIsDocumented() throws {
        for file in Repository.swiftFiles(below: Repository.sources) {
            let source = try Repository.text(file)
            guard source.contains("public") else { continue }
            let silent = PublicDeclarations.undocumented(in: source)
            #expect(silent.isEmpty, "\(file.lastPathComponent): \(silent)")
        }
    }

    @Test(
        "A declaration without a comment is found, whatever precedes it; one with a comment is not",
        arguments: [
            ("public struct A {}", ["public struct A {}"]),
            ("/// An A.\npublic struct A {}", []),
            ("// An A.\npublic struct A {}", ["public struct A {}"]),
            ("/// An A.\n@frozen\npublic struct A {}", []),
            ("/// An A.\n\npublic struct A {}", ["public struct A {}"]),
            ("@discardableResult public static func a() {}", ["@discardableResult public static func a() {}"]),
            ("final public class A {}", ["final public class A {}"]),
            ("    public internal(set) var a = 1", ["public internal(set) var a = 1"]),
            ("public import A\npublic extension A {}", []),
            ("package struct A {}\nstruct B { case a }", []),
            ("/// E.\npublic enum E {\n    case a\n    /// B.\n    case b(Int)\n}", ["case a"]),
            (
                "/// E.\npublic enum E {\n    func f() {\n        switch self {\n        case .a: 1\n        }\n    }\n}",
                []
            ),
            ("/// E.\npublic enum E {\n    enum F {\n        case a\n    }\n}\nenum G {\n    case a\n}", []),
            ("/// E.\npublic enum E {\n    indirect case a\n}", ["indirect case a"]),
            ("/// E.\npublic enum E: String {\n    case a = \"{\"\n}\nenum F {\n    case b\n}", ["case a = \"{\""]),
        ])
    func search(source: String, found: [String]) {
        #expect(PublicDeclarations.undocumented(in: source) == found)
    }
}

/// Finds public declarations line by line, as the formatter lays them out.
enum PublicDeclarations {
    /// The declarations without a preceding documentation comment.
    static func undocumented(in source: String) -> [String] {
        var found: [String] = []
        // For each open brace, whether it is that of a public enum.
        var braces: [Bool] = []
        var isDocumented = false
        var isInText = false
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if line.components(separatedBy: "\"\"\"").count.isMultiple(of: 2) { isInText.toggle() }
            guard !isInText else { continue }
            if text.hasPrefix("///") {
                isDocumented = true
                continue
            }
            // An attribute on its own line may be between a comment and its declaration.
            if text.wholeMatch(of: /@\w+(\(.*\))?/) != nil { continue }
            let code = withoutTexts(line)
            let isCase = braces.last == true && code.firstMatch(of: /^\s*(indirect\s+)?case\s+[^.]/) != nil
            if isCase || isPublic(code), !isDocumented { found.append(text) }
            isDocumented = false
            follow(code, &braces)
        }
        return found
    }

    private static func withoutTexts(_ line: some StringProtocol) -> String {
        let code = String(line).replacing(/"(\\.|[^"\\])*"/, with: "\"\"")
        return code.firstRange(of: "//").map { String(code[..<$0.lowerBound]) } ?? code
    }

    private static func isPublic(_ code: String) -> Bool {
        let word = /^\s*(@\w+(\([^)]*\))?\s+)*(\w+\s+)*?public(\(set\))?\s+(?!import\b|extension\b)/
        guard let match = code.firstMatch(of: word) else { return false }
        return !match.0.contains("public(set)")
    }

    private static func follow(_ code: String, _ braces: inout [Bool]) {
        let isEnum = code.firstMatch(of: /\bpublic\s+(indirect\s+)?enum\b/) != nil
        var isFirst = true
        for character in code {
            if character == "{" {
                braces.append(isEnum && isFirst)
                isFirst = false
            } else if character == "}", !braces.isEmpty {
                braces.removeLast()
            }
        }
    }
}
