import ArgumentParser
import Testing

@testable import ResponderCommand

@Suite("The help")
struct HelpTests {
    @Test("The help of serve explains every setting with its default", arguments: SettingTable.rows.map(\.key))
    func settings(key: String) throws {
        let row = try #require(SettingTable.row(key))
        let help = Serve.helpMessage(columns: 10_000)
        #expect(help.contains("--\(row.flagName)"))
        #expect(help.contains(row.explanation))
        if let standard = row.standardText, row.form != Bool.form { #expect(help.contains("(default: \(standard))")) }
    }

    @Test("The help lists every exit code", arguments: ResponderCommand.ExitStatus.allCases)
    func exitCodes(status: ResponderCommand.ExitStatus) {
        #expect(LightningResponder.helpMessage(columns: 1_000).contains("\(status.rawValue)  \(status.meaning)"))
    }

    @Test("Without a command the service is run")
    func defaultCommand() throws {
        #expect(try LightningResponder.parseAsRoot([]) is Serve)
        #expect(try LightningResponder.parseAsRoot(["--with-account", "alice"]) is Serve)
    }
}
