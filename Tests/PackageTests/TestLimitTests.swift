import Foundation
import Testing

@Suite("Limits of tests", .timeLimit(.minutes(5)))
struct TestLimitTests {
    @Test("Every suite has a time limit, so that a hanging test is named")
    func timeLimits() throws {
        let files = try Repository.swiftFiles(below: Repository.tests).map { file in
            (name: file.lastPathComponent, text: try Repository.text(file))
        }
        var suites: Set<Substring> = []
        for (name, text) in files {
            for suite in text.matches(of: /(?m)^@Suite\b(?s:.*?)^\w*\s*(?:struct|class|actor|enum) (\w+)/) {
                #expect(suite.0.contains(".timeLimit("), "\(name): \(suite.1)")
                suites.insert(suite.1)
            }
        }
        for (name, text) in files where text.contains(/(?m)^ +@Test\b/) && !text.contains(/(?m)^@Suite\b/) {
            let extended = text.firstMatch(of: /(?m)^extension (\w+) \{/)?.1
            #expect(extended.map(suites.contains) == true, "\(name) has tests outside of suites")
        }
    }

    @Test("At most twice as many test cases run at once as there are processors")
    func width() {
        // Set by Tests/ParallelTestLimit before Swift Testing reads it.
        #expect(ProcessInfo.processInfo.environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] != nil)
    }

    @Test("No loop waits only by yielding, which occupies a processor and outlives its test's time limit")
    func noSpinning() throws {
        for file in Repository.swiftFiles(below: Repository.tests) {
            let text = try Repository.text(file)
            #expect(!text.contains(/while [^\n]*\{ await Task\.yield\(\) \}/), "\(file.lastPathComponent)")
        }
    }
}
