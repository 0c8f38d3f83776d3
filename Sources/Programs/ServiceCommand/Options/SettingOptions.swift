import ArgumentParser
import ServiceSetup

/// The flags of all settings, one for each row of ``SettingTable``.
///
/// ArgumentParser finds options by reflection; this type presents the rows of the table as its stored properties, so
/// that no setting is declared twice.
struct SettingOptions: ParsableArguments, CustomReflectable {
    private var configOption = Option<String?>(
        name: .customLong("config"), help: "A YAML file with settings; also RESPONDER_CONFIG.")
    private var values: [(row: any SettingRow, option: Option<String?>)]
    private var switches: [(row: any SettingRow, flag: Flag<Bool>)]

    init() {
        let rows = SettingTable.rows
        values = rows.filter { !$0.isFlag }.map { row in
            (row, Option<String?>(name: .customLong(row.flagName), help: ArgumentHelp(row)))
        }
        switches = rows.filter(\.isFlag).map { row in
            (row, Flag(wrappedValue: false, name: .customLong(row.flagName), help: ArgumentHelp(row)))
        }
    }

    init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        configOption = try container.decode(Option<String?>.self, forKey: Key(stringValue: Self.configKey))
        for index in values.indices {
            values[index].option = try container.decode(Option<String?>.self, forKey: Key(values[index].row))
        }
        for index in switches.indices {
            switches[index].flag = try container.decode(Flag<Bool>.self, forKey: Key(switches[index].row))
        }
    }

    var customMirror: Mirror {
        let rows = SettingTable.rows.compactMap { row -> (label: String?, value: Any)? in
            let label = Key(row).stringValue
            if let value = values.first(where: { $0.row.key == row.key }) { return (label, value.option) }
            return switches.first { $0.row.key == row.key }.map { (label, $0.flag) }
        }
        return Mirror(self, children: [(label: Self.configKey, value: configOption)] + rows)
    }

    private static let configKey = "config"

    /// The key under which ArgumentParser finds an option.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ row: any SettingRow) { stringValue = row.flagName }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The settings file; nil for the one named in the environment, if any.
    var config: String? { configOption.wrappedValue }

    /// The given flags, by key.
    var flags: [String: String] {
        var flags: [String: String] = [:]
        for (row, option) in values { flags[row.key] = option.wrappedValue }
        for (row, flag) in switches where flag.wrappedValue { flags[row.key] = "true" }
        return flags
    }

    /// Combines flags, environment and file.
    func sources() throws(CommandFailure) -> SettingSources {
        try .read(flags: flags, file: config)
    }

    /// The validated configuration without a flag that means something else to the command.
    func configuration(without row: any SettingRow) throws(CommandFailure) -> ServiceConfiguration {
        var flags = flags
        flags[row.key] = nil
        return try .read(try .read(flags: flags, file: config))
    }

    func configuration() throws(CommandFailure) -> ServiceConfiguration {
        try .read(try sources())
    }
}

extension ArgumentHelp {
    init(_ row: any SettingRow) {
        self.init(row.help, valueName: row.form)
    }
}
