import Foundation
import ResponderModel
import Testing

@Suite("Producers", .timeLimit(.minutes(5)))
struct ProducerTests {
    /// Everything that the programs are made of.
    private static let all = text(without: [])
    /// The same except the declarations themselves.
    private static let sources = text(without: ["OutboxWork.swift", "DeviceMessage.swift"])

    private static func text(without names: Set<String>) -> String {
        Repository.swiftFiles(below: Repository.sources).filter { !names.contains($0.lastPathComponent) }
            .compactMap { try? Repository.text($0) }.joined(separator: "\n")
    }

    /// The name of the property that declares a word: `settlementWebhook` for `settlement-webhook`.
    private static func property(_ word: String) -> String {
        let parts = word.split { $0 == "-" || $0 == "_" }
        return parts.dropFirst().reduce(String(parts[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    @Test("Something adds jobs of each kind, and something carries them out", arguments: OutboxKind.all.map(\.rawValue))
    func outboxKinds(word: String) throws {
        let kind = "static let kind = OutboxKind.\(Self.property(word))\n"
        let before = try #require(Self.all.components(separatedBy: kind).dropLast().first)
        let job = try #require(before.matches(of: /struct (\w+): (?:Outbox|Payment)Job/).last?.1)
        #expect(Self.sources.contains("_ job: \(job)") || Self.sources.contains("<\(job)>"))
        let made = Self.all.matches(of: try Regex("\\b\(job)\\((?!work\\)|attempt)"))
        #expect(!made.isEmpty)
    }

    @Test("Something sends messages of each type", arguments: ["payment_received", "security", "announcement"])
    func messageTypes(word: String) {
        #expect(Self.sources.contains("type: .\(Self.property(word)), priority: ."))
    }

    @Test("The types of messages are those, and the type of a link")
    func allTypes() throws {
        let declared = try Repository.text(
            Repository.sources.appending(path: "Responder/ResponderModel/Devices/DeviceMessage.swift")
        ).matches(of: /MessageType\(unchecked: "(\w+)"\)/).map { String($0.1) }
        #expect(Set(declared) == ["payment_received", "security", "announcement", "payment"])
    }

    @Test("Something sends messages of each priority", arguments: DeviceMessage.Priority.allCases)
    func priorities(priority: DeviceMessage.Priority) {
        #expect(Self.sources.contains("priority: .\(priority.rawValue),"))
    }
}
