import ArgumentParser
import ServiceSetup

/// The flags of all settings, one for each row of ``SettingTable``.
///
/// ArgumentParser finds options by reflection; this type presents the rows of the table as its stored properties, so
/// that no setting is declared twice.
struct SettingOptions: ParsableArguments, CustomReflectable {
    private var configOption = Option<String?>(
        name: .customLong("config"), help: "A YAML file with settings; also RESPONDER_CONFIG.")
    private var values: [String: Option<String?>] = [:]
    private var switches: [String: Flag<Bool>] = [:]

    /// ArgumentParser makes these several times for each command line.
    private static let unread = SettingOptions(of: SettingTable.rows)

    init() {
        self = Self.unread
    }

    private init(of rows: [any SettingRow]) {
        for row in rows {
            let (name, help) = (NameSpecification.customLong(row.flagName), ArgumentHelp(row))
            if row.isFlag {
                switches[row.key] = Flag(wrappedValue: false, name: name, help: help)
            } else {
                values[row.key] = Option<String?>(name: name, help: help)
            }
        }
    }

    init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        configOption = try container.decode(Option<String?>.self, forKey: Key(stringValue: Self.configKey))
        for row in SettingTable.rows {
            if row.isFlag {
                switches[row.key] = try container.decode(Flag<Bool>.self, forKey: Key(row))
            } else {
                values[row.key] = try container.decode(Option<String?>.self, forKey: Key(row))
            }
        }
    }

    var customMirror: Mirror {
        let rows = SettingTable.rows.compactMap { row -> (label: String?, value: Any)? in
            let value: Any? = row.isFlag ? switches[row.key] : values[row.key]
            return value.map { (Key(row).stringValue, $0) }
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

    var flags: [String: String] {
        var flags = values.compactMapValues(\.wrappedValue)
        for (key, flag) in switches where flag.wrappedValue { flags[key] = "true" }
        return flags
    }

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
