/// Returns once something is so that comes about by itself, such as a connection.
///
/// It ends with the time limit of its suite, which cancels the test; a loop of `Task.yield()` would go on for ever.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool
) async throws {
    while try await !isSo() { try await Task.sleep(for: .milliseconds(1)) }
}
