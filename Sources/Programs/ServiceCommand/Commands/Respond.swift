import ServiceSetup
import ArgumentParser
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Runs `lightning-respond`, a separate program small enough to be started for each notification.
struct Respond: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: RespondHelp.abstract,
        usage: "lightning-responder respond --notification <file> [--account <name>] [--dry-run] [--json]",
        discussion: RespondHelp.discussion
            + "\n\n"
            + RespondHelp.options.map { "  \($0.form)\n        \($0.meaning)" }.joined(separator: "\n")
    )

    @Argument(parsing: .captureForPassthrough, help: .hidden)
    var words: [String] = []

    func run() throws {
        let program = Self.program
        var arguments = ([program] + words).map { strdup($0) } + [nil]
        execv(program, &arguments)
        // Returns only on failure.
        let failure = CommandFailure(
            .unavailable, "\(program) cannot be started: \(PrivateFileFault.system(errno: errno).reason)")
        try OutputOptions.end(with: failure, asJSON: words.contains("--json"))
    }

    /// It is in the same folder as this program.
    private static var program: String {
        #if os(Linux)
        var path = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &path, path.count)
        let own =
            count > 0
            ? String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            : CommandLine.arguments[0]
        #else
        let own = CommandLine.arguments[0]
        #endif
        guard let slash = own.lastIndex(of: "/") else { return "lightning-respond" }
        return own[...slash] + "lightning-respond"
    }
}
