import Foundation
import Testing

@Suite("Limits of tests", .timeLimit(.minutes(1)))
struct TestLimitTests {
    @Test("Every suite has a time limit, so that a hanging test is named")
    func timeLimits() throws {
        for file in Repository.swiftFiles(below: Repository.tests) {
            let text = try Repository.text(file)
            for suite in text.matches(of: /(?m)^@Suite\b(?s:.*?)^\w*\s*(?:struct|class|actor|enum) (\w+)/) {
                #expect(suite.0.contains(".timeLimit("), "\(file.lastPathComponent): \(suite.1)")
            }
            let tests = text.matches(of: /(?m)^ +@Test\b/).count
            #expect(
                tests == 0 || text.contains(/(?m)^@Suite\b/), "\(file.lastPathComponent) has tests outside of suites")
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
