import ArgumentParser
import ServiceSetup
import LightningCoding
import Platform
import QRCodes

/// A command that does one thing and reports it, as text or JSON.
protocol ReportingCommand: AsyncParsableCommand {
    var output: OutputOptions { get }

    func perform() async throws(CommandFailure) -> CommandResult
}

extension ReportingCommand {
    func run() async throws {
        do throws(CommandFailure) {
            let result = try await perform()
            guard StandardStream.output.write(output.json ? result.json.printable + "\n" : result.text) else {
                throw CommandFailure.outputFailed
            }
        } catch {
            try output.end(with: error)
        }
    }
}

/// One that works on an installation: its settings are not in its help.
protocol InstallationCommand: ReportingCommand {
    var common: CommonOptions { get }
}

extension InstallationCommand {
    var output: OutputOptions { common.output }
    var settings: SettingOptions { common.settings }
}

struct CommonOptions: ParsableArguments {
    @OptionGroup var output: OutputOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions
}

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON object instead of text; failures too, as {\"error\":{…}}.")
    var json = false

    func end(with failure: CommandFailure) throws { try Self.end(with: failure, asJSON: json) }

    /// The same without options.
    static func end(with failure: CommandFailure, asJSON json: Bool) throws {
        if !json || failure == .outputFailed || !StandardStream.output.write(failure.json.printable + "\n") {
            StandardStream.error.write(failure.text)
        }
        throw ExitCode(failure.status.rawValue)
    }
}

extension CommandResult {
    func withCode(_ text: String) throws(CommandFailure) -> CommandResult {
        let code = try rethrowing(QRCode(text), as: CommandFailure(.data, "too long for a QR code"))
        let drawing = code.terminalText(.plain)
        var members = json.object ?? [:]
        members.append("qr", .string(drawing))
        return CommandResult(text: drawing + self.text, json: .object(members))
    }
}

extension [(String, String?)] {
    /// Labeled values in a column; a missing value is omitted.
    func lines(width: Int) -> String {
        compactMap { label, value in
            value.map {
                "\(label):" + String(repeating: " ", count: Swift.max(1, width - label.utf8.count)) + $0.printable
                    + "\n"
            }
        }.joined()
    }
}

extension JSONValue {
    /// A line for each member that is not null.
    func lines(without names: Set<String> = []) -> String {
        (object?.members ?? []).filter { !$0.value.isNull && !names.contains($0.key) }.map {
            "\($0.key): \(($0.value.string ?? $0.value.serialized()).printable)\n"
        }.joined()
    }
}
