import ArgumentParser
import HTTPService
import ServiceSetup
import LightningCoding
import Testing
@testable import ServiceCommand
import enum ServiceSetup.ExitStatus

@Suite("The help", .timeLimit(.minutes(5)))
struct HelpTests {
    @Test("The help of serve explains every setting with its default", arguments: SettingTable.rows.map(\.key))
    func settings(key: String) throws {
        let row = try #require(SettingTable.row(key))
        let help = Serve.helpMessage(columns: 10_000)
        #expect(help.contains("--\(row.flagName)"))
        #expect(help.contains(row.explanation))
        if let standard = row.standardText, row.form != Bool.form { #expect(help.contains("(default: \(standard))")) }
    }

    @Test("Every setting has a flag", arguments: SettingTable.rows.map(\.key))
    func flags(key: String) throws {
        let row = try #require(SettingTable.row(key))
        let isFlag = row.form == Bool.form
        let arguments = ["--\(row.flagName)"] + (isFlag ? [] : ["word"])
        #expect(try SettingOptions.parse(arguments).flags == [key: isFlag ? "true" : "word"])
    }

    @Test("The defaults of the limits are those of the service")
    func limits() throws {
        #expect(try SettingOptions.parse([]).configuration().service.limits == ServiceLimits())
    }

    @Test("The help lists every exit code", arguments: ExitStatus.allCases)
    func exitCodes(status: ExitStatus) {
        #expect(LightningResponder.helpMessage(columns: 1_000).contains("\(status.rawValue)  \(status.meaning)"))
    }

    @Test(
        "The help of config explains every key of a section of the file",
        arguments: [
            "kind: embedded\n", "socket <text>", "rune-file <text>", "macaroon-file <text>",
            "bolt12 <off | on>",
            "buys-liquidity-up-to <amount", "token-file <text>", "command <list of text>", "network <",
            "deadline <whole number>",
            "cltv-slack <", "message-ids <list of text>", "`types` and `members` are mappings",
            "tx_confirmed_notification_title <text>",
        ])
    func sections(words: String) {
        #expect(ConfigCommands.helpMessage(columns: 1_000).contains(words))
    }

    @Test("Both programs and the backups have the same version")
    func version() {
        #expect(LightningResponder.configuration.version == SoftwareVersion.text)
        #expect(BackupManifest(entries: []).json(at: .now())["software"]?.string == SoftwareVersion.text)
    }

    @Test(
        "An unknown command is reported, with the command that was probably meant",
        arguments: [
            (["acount", "list"], "unknown command acount; did you mean account?"),
            (["account", "lst"], "unknown command account lst; did you mean account list?"),
            (["backend", "chek", "--json"], "unknown command backend chek; did you mean backend check?"),
            (["xyzzy"], "unknown command xyzzy; see --help"),
        ])
    func unknownCommand(arguments: [String], reason: String) {
        #expect(LightningResponder.unknownCommand(in: arguments) == CommandFailure(.usage, reason))
    }

    @Test(
        "Commands, their arguments and flags are not unknown commands",
        arguments: [
            [], ["--with-account", "acount"], ["serve"], ["account"], ["account", "list"], ["account", "add", "lst"],
            ["help", "account"], ["respond", "--notification", "-"], ["offer", "show", "lno1"], ["--help"],
        ])
    func knownCommand(arguments: [String]) {
        #expect(LightningResponder.unknownCommand(in: arguments) == nil)
    }

    @Test("The help of an account's settings states their limits and defaults")
    func accountSettings() {
        let help = AccountAdd.helpMessage(columns: 10_000)
        for words in [
            "from 0 to 2000; 0 for none (LUD-12; new accounts: 255)", "from 60 to 604800 (new accounts: 600)",
            "(new accounts: the only one)", "(LUD-18; new accounts: nothing)",
        ] { #expect(help.contains(words), "\(words)") }
    }

    @Test("Without a command the service runs")
    func defaultCommand() throws {
        #expect(try LightningResponder.parseAsRoot([]) is Serve)
        #expect(try LightningResponder.parseAsRoot(["--with-account", "alice"]) is Serve)
    }

    @Test(
        "A wrong command line is reported as JSON only when requested",
        arguments: [["settle", "--json"], ["account", "list", "--bogus", "--json"], ["--json", "bogus", "bogus"]])
    func usage(arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try LightningResponder.parseAsRoot(arguments) }
        let failure = LightningResponder.usageFailure(try #require(error), arguments)
        #expect(failure?.status == .usage)
        #expect(failure?.reasons.first?.isEmpty == false)
        #expect(LightningResponder.usageFailure(try #require(error), arguments.filter { $0 != "--json" }) == nil)
    }

    @Test("Help and regular exit are not a wrong command line")
    func noUsage() {
        #expect(LightningResponder.usageFailure(CleanExit.helpRequest(), ["--help", "--json"]) == nil)
        #expect(LightningResponder.usageFailure(ExitCode(64), ["settle", "0", "--json"]) == nil)
    }
}
