import ArgumentParser
import ServiceSetup
import LightningCoding
import Platform

struct ConfigCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check and show the settings, and what follows from them for a reverse proxy.",
        discussion: "The settings are those of `serve`; `serve --help` explains each.\n\n\(SectionHelp.text)",
        subcommands: [ConfigCheck.self, ConfigShow.self, ConfigProxy.self, ConfigReference.self]
    )
}

struct ConfigCheck: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report every mistake in flags, environment and file; exit code 78 if there is one.",
        discussion: """
            The files that settings name must be readable: run it as the user of the service. Unknown variables that begin with \
            RESPONDER_ are mentioned, but are not mistakes.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let sources = try settings.sources()
        var faults: [ConfigurationFault] = []
        do {
            if let fault = try ServiceConfiguration(sources).trialFault { faults.append(fault) }
        } catch {
            faults = error.faults
        }
        faults += sources.faults { path in
            do throws(PrivateFileFault) {
                _ = try OpenFile(reading: path).read(1)
                return nil
            } catch {
                return error.reason
            }
        }
        guard faults.isEmpty else { throw CommandFailure(ConfigurationFaults(faults: faults)) }
        let strange = sources.strangeVariables
        let notes = strange.map { "note: \($0) is not a known setting\n" }.joined()
        return CommandResult(
            text: notes + "The configuration is valid.\n",
            json: ["ok": true, "unknownVariables": .array(strange.map { .string($0) })]
        )
    }
}

struct ConfigShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show every setting with its value and the origin of the value."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let configuration = try settings.configuration()
        let sources = try settings.sources()
        var text = ""
        var json = JSONObject()
        for row in SettingTable.rows {
            let given = sources.given[row.key]
            let value =
                given?.text ?? row.standardText
                // The only default derived from another setting.
                ?? (row.key == SettingTable.shared.publicURL.key ? configuration.publicURL.origin : "none")
            let origin = given?.origin.name ?? "default"
            text += "# \(row.explanation)\n# \(row.environmentName), --\(row.flagName); from \(origin)\n"
            text += "\(row.key): \(value)\n\n"
            json.append(row.key, ["value": .string(value), "from": .string(origin)])
        }
        for section in SettingTable.sections {
            let given = sources.sections[section.key]
            let origin = given?.origin.name ?? "default"
            text += "# \(section.explanation)\n# from \(origin)\n"
            text += "\(section.key): \(given.map { $0.json.serialized() } ?? "{}")\n\n"
            json.append(section.key, ["value": given?.json ?? [:], "from": .string(origin)])
        }
        return CommandResult(text: text, json: .object(json))
    }
}

struct ConfigProxy: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Print the configuration of a reverse proxy in front of the service.",
        discussion: """
            For Caddy a site with all hosts of the settings, for nginx what belongs into the server that has their certificates. \
            It passes on what the settings need, and nothing of the admin interface. Domains that were added by `domain add` \
            are not in the settings: add their hosts.
            """
    )

    enum Format: String, EnumerableFlag {
        case caddy, nginx
    }

    @OptionGroup var common: CommonOptions
    @Flag var format: Format

    func perform() async throws(CommandFailure) -> CommandResult {
        let configuration = try settings.configuration()
        guard !configuration.publicURL.isLoopback else {
            throw CommandFailure(.configuration, "public-url is missing: payers reach the proxy there")
        }
        let proxy = ReverseProxy(to: configuration)
        return CommandResult(
            text: format == .caddy ? proxy.caddy : proxy.nginx,
            json: [
                "hosts": .array(proxy.hosts.map { .string($0) }), "paths": .array(proxy.paths.map { .string($0) }),
                "listener": .string("http://\(proxy.listener)"),
            ])
    }
}

struct ConfigReference: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference",
        abstract: "Print every setting with its form, default and meaning, as Markdown."
    )

    func run() throws {
        guard StandardStream.output.write(SettingReference.markdown) else {
            try OutputOptions.end(with: .outputFailed, asJSON: false)
            return
        }
    }
}

extension ConfigurationFault.Origin {
    var name: String {
        switch self {
        case .flag(let flag): "--\(flag)"
        case .environment(let name): name
        case .file(let path, let line): "\(path):\(line)"
        case .standard: "default"
        }
    }
}
