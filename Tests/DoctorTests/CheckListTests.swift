import Doctor
import Testing

@Suite("The list of checks", .timeLimit(.minutes(5)))
struct CheckListTests {
    @Test("Names are unique, lower-case words joined by hyphens")
    func names() {
        let names = ServiceCheck.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil })
    }

    @Test("Every check reads a request, and every request is read by a check")
    func probes() {
        #expect(ServiceCheck.all.allSatisfy { !$0.probes.isEmpty })
        #expect(Set(ServiceCheck.all.flatMap(\.probes)) == Set(Probe.allCases))
    }

    @Test("Every report of a broken client names where it was made")
    func sources() {
        for client in ServiceCheck.all.flatMap(\.brokenClients) {
            #expect(client.source.contains("/"), "\(client.name): \(client.source)")
        }
    }

    @Test("The rules of HTTP answers are checks of the doctor")
    func httpRules() {
        #expect(Set(HTTPRule.allCases.map(\.rawValue)).isSubset(of: ServiceCheck.all.map(\.name)))
    }
}
