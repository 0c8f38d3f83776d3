import Testing
@testable import ServiceSetup

@Suite("The command line of respond", .timeLimit(.minutes(5)))
struct RespondArgumentsTests {
    @Test("Its own options and every setting are parsed, with a space or an equals sign")
    func reads() throws {
        let arguments = try RespondArguments([
            "--notification", "-", "--account=bob", "--dry-run", "--json", "--config", "c.yaml", "--info-max-age=5",
            "--replies-allow-loopback", "--replies-hosts", "a.example,b.example",
        ])
        #expect(arguments.notification == "-" && arguments.account == "bob")
        #expect(arguments.isDryRun && arguments.isJSON && !arguments.wantsHelp)
        #expect(arguments.configuration == "c.yaml")
        #expect(
            arguments.settings == [
                "info-max-age": "5", "replies.allow-loopback": "true", "replies.hosts": "a.example,b.example",
            ])
    }

    @Test("--version is sufficient, and does not take a value")
    func version() throws {
        #expect(try RespondArguments(["--version"]).wantsVersion)
        #expect(throws: CommandFailure.self) { try RespondArguments(["--version=1"]) }
    }

    @Test("Every setting has a flag, and the help names it", arguments: SettingTable.rows.map(\.key))
    func settings(key: String) throws {
        let row = try #require(SettingTable.row(key))
        let words = row.form == Bool.form ? ["--\(row.flagName)"] : ["--\(row.flagName)", "word"]
        let arguments = try RespondArguments(["--notification", "f"] + words)
        #expect(arguments.settings == [key: row.form == Bool.form ? "true" : "word"])
        #expect(RespondHelp.text.contains("--\(row.flagName)") && RespondHelp.text.contains(row.explanation))
    }

    @Test(
        "A wrong command line is a usage error",
        arguments: [
            ([], "--notification is missing"), (["--notification"], "--notification needs a value"),
            (["f"], "unexpected: f"),
            (["--notification", "f", "--bogus", "1"], "unknown option --bogus; see --help"),
            (["--notification", "f", "--json=1"], "--json does not take a value"),
        ] as [([String], String)])
    func refuses(words: [String], reason: String) {
        let failure = #expect(throws: CommandFailure.self) { try RespondArguments(words) }
        #expect(failure == CommandFailure(.usage, reason))
    }
}
