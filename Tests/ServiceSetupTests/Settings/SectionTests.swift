import LightningCoding
import Testing
@testable import ServiceSetup

/// A section as a module would declare it: named nodes, each with an address and hosts.
private struct Node: Hashable {
    static let address = Setting<ListenAddress?>("address", "Where it listens.")
    static let hosts = Setting<[String]>("hosts", standard: [], "Names.") { hosts in
        hosts.contains("x") ? "must not contain x" : nil
    }

    let name: String
    let address: ListenAddress
    let hosts: [String]?

    init(name: String, _ node: SectionNode) throws(ConfigurationFaults) {
        self.name = name
        (address, hosts) = try node.fields([Self.address, Self.hosts], nested: ["extra"]) {
            fields throws(ConfigurationFaults) in
            _ = try fields[nested: "extra"]?.elements()
            return (try fields.required(Self.address), fields[Self.hosts])
        }
    }
}

@Suite("Sections of the configuration file", .timeLimit(.minutes(5)))
struct SectionTests {
    private func nodes(_ text: String) throws -> [Node] {
        guard let root = try YAMLReader.read(Array(text.utf8)), case .mapping(let entries) = root.content,
            let entry = entries.first
        else { return [] }
        let section = SectionNode(key: entry.key, node: entry.value, file: "c.yaml")
        return try section.entries().map { try Node(name: $0.name, $0.node) }
    }

    private func faults(_ text: String) -> [String] {
        do {
            _ = try nodes(text)
            return []
        } catch let faults as ConfigurationFaults {
            return faults.faults.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test("Names are free, and their members are read by the rules of settings")
    func reads() throws {
        let nodes = try nodes(
            "nodes:\n  a:\n    address: a:1\n    hosts: [b, c]\n  z:\n    address: z:2\n    extra: [1]\n")
        #expect(nodes.map(\.name) == ["a", "z"])
        #expect(nodes.map(\.address.port) == [1, 2])
        #expect(nodes.map(\.hosts) == [["b", "c"], []])
    }

    @Test(
        "A mistake is reported with its key and line",
        arguments: [
            ("nodes: 7\n", ["c.yaml, line 1: nodes must be keys with values"]),
            ("nodes:\n  a: 7\n", ["c.yaml, line 2: nodes.a must be keys with values"]),
            ("nodes:\n  a:\n    hosts: [b]\n", ["c.yaml, line 3: nodes.a needs address"]),
            (
                "nodes:\n  a:\n    adress: b\n    hosts:\n      - c\n      - x\n",
                [
                    "c.yaml, line 3: nodes.a.adress is not a setting; did you mean address?",
                    "c.yaml, line 6: nodes.a.hosts must not contain x",
                ]
            ),
            (
                "nodes:\n  a:\n    adress: b\n",
                [
                    "c.yaml, line 3: nodes.a.adress is not a setting; did you mean address?",
                    "c.yaml, line 3: nodes.a needs address",
                ]
            ),
            (
                "nodes:\n  a:\n    address: a:1\n    hosts:\n      - \"c,d\"\n",
                ["c.yaml, line 5: nodes.a.hosts must be list of text"]
            ),
            ("nodes:\n  a:\n    address: [a]\n", ["c.yaml, line 3: nodes.a.address must be host:port"]),
            ("nodes:\n  a:\n    address: a:1\n    extra: 1\n", ["c.yaml, line 4: nodes.a.extra must be a list"]),
        ] as [(String, [String])]
    )
    func faults(text: String, expected: [String]) {
        #expect(faults(text) == expected)
    }
}
