import LightningCoding
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The texts of all settings as given, before they are parsed.
///
/// Precedence: flag, environment, file, default.
package struct SettingSources: Sendable {
    package struct Given: Hashable, Sendable {
        package let text: String
        package let origin: ConfigurationFault.Origin
    }

    package private(set) var given: [String: Given] = [:]
    package private(set) var sections: [String: SectionNode] = [:]
    package private(set) var faults: [ConfigurationFault] = []
    /// The settings whose values are among the faults.
    private var malformed: Set<String> = []
    /// Whether the file is no YAML, so that nobody knows what it sets.
    private(set) var isUnreadable = false
    /// Variables with our prefix that neither name a setting nor resemble one; perhaps another program's.
    package private(set) var strangeVariables: [String] = []

    /// Names the file itself, and so is not a setting.
    package static let configVariable = SettingTable.environmentPrefix + "CONFIG"

    /// - Parameters:
    ///   - flags: by key; these take precedence.
    ///   - environment: all variables of the process.
    ///   - file: name and bytes of the file, if any.
    package init(flags: [String: String], environment: [String: String], file: (name: String, text: [UInt8])?) {
        if let file { add(file.text, from: file.name) }
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) { add(text, fromVariable: name) }
        for (key, text) in flags {
            guard let row = SettingTable.row(key) else { continue }
            given[key] = Given(text: text, origin: .flag(row.flagName))
        }
        for (key, given) in given.sorted(by: { $0.key < $1.key }) {
            guard let fault = Self.check(key: key, given: given) else { continue }
            faults.append(fault)
            malformed.insert(key)
        }
    }

    /// Whether none of these settings is malformed: else what they say together is not known.
    func areWellFormed(_ settings: [any SettingRow]) -> Bool {
        settings.allSatisfy { !malformed.contains($0.key) }
    }

    /// The value of a setting, or its default. A malformed text is among the ``faults``; here the default takes its
    /// place.
    package subscript<Value>(setting: Setting<Value>) -> Value {
        guard let given = given[setting.key], let value = try? setting.read(given.text) else { return setting.standard }
        return value
    }

    func section(_ section: SettingSection) -> SectionNode? { sections[section.key] }

    /// What is wrong with the files that settings name, those whose keys end in `-file`.
    ///
    /// - Parameter obstacle: why a file cannot be read; nil when it can.
    package func faults(ofFiles obstacle: (String) -> String?) -> [ConfigurationFault] {
        let single = SettingTable.rows.filter { $0.key.hasSuffix(Self.fileSuffix) }.compactMap { row in
            given[row.key].flatMap { given in
                obstacle(given.text).map { fault(row, Self.unreadable(given.text, $0)) }
            }
        }
        return single
            + sections.sorted { $0.key < $1.key }.flatMap { $0.value.faults(ofFiles: obstacle) }
    }

    static let fileSuffix = "-file"

    static func unreadable(_ path: String, _ obstacle: String) -> String { "cannot be read: \(path): \(obstacle)" }

    private static func check(key: String, given: Given) -> ConfigurationFault? {
        do {
            try SettingTable.row(key)?.check(given.text)
            return nil
        } catch {
            let name = if case .file = given.origin { key } else { "" }
            return ConfigurationFault(key: name, origin: given.origin, problem: .value(error))
        }
    }

    private mutating func add(_ text: String, fromVariable name: String) {
        guard name.hasPrefix(SettingTable.environmentPrefix), name != Self.configVariable else { return }
        if let row = SettingTable.rows.first(where: { $0.environmentName == name }) {
            given[row.key] = Given(text: text, origin: .environment(name))
        } else if let near = Self.variable(near: name) {
            faults.append(
                ConfigurationFault(key: "", origin: .environment(name), problem: .unknown(suggestion: near))
            )
        } else {
            strangeVariables.append(name)
        }
    }
}

extension SettingSources {
    /// The variable that was probably meant, compared after the common prefix.
    private static func variable(near name: String) -> String? {
        let prefix = SettingTable.environmentPrefix
        let names = SettingTable.rows.map { String($0.environmentName.dropFirst(prefix.count)) }
        return NearestName.to(String(name.dropFirst(prefix.count)), among: names).map { prefix + $0 }
    }
}

// MARK: The file

extension SettingSources {
    private mutating func add(_ text: [UInt8], from file: String) {
        let root: YAMLNode?
        do {
            root = try YAMLReader.read(text)
        } catch {
            faults.append(ConfigurationFault(error, in: file))
            isUnreadable = true
            return
        }
        if let root { add(root, below: "", from: file) }
    }

    private mutating func add(_ node: YAMLNode, below prefix: String, from file: String) {
        guard case .mapping(let entries) = node.content else {
            isUnreadable = isUnreadable || prefix.isEmpty
            let key = String(prefix.dropLast())
            let section = SectionNode(key: key, node: node, file: file)
            faults += section.fault(.value(.wrongForm(expected: "keys with values"))).faults
            return
        }
        for entry in entries {
            let key = prefix + entry.key
            let origin = ConfigurationFault.Origin.file(file, line: entry.line)
            if SettingTable.sections.contains(where: { $0.key == key }) {
                sections[key] = SectionNode(key: key, node: entry.value, file: file)
            } else if SettingTable.rows.contains(where: { $0.key.hasPrefix(key + ".") }) {
                add(entry.value, below: key + ".", from: file)
            } else if let row = SettingTable.row(key) {
                // A fault of the value points at its key.
                let content = YAMLNode(content: entry.value.content, line: entry.line)
                let value = SectionNode(key: key, node: content, file: file)
                do throws(ConfigurationFaults) {
                    given[key] = Given(text: try value.text(of: row), origin: origin)
                } catch {
                    faults += error.faults
                    malformed.insert(key)
                }
            } else {
                let near = NearestName.to(key, among: SettingTable.namesInFiles)
                faults.append(ConfigurationFault(key: key, origin: origin, problem: .unknown(suggestion: near)))
            }
        }
    }
}

extension ConfigurationFault {
    package init(_ fault: YAMLFault, in file: String) {
        let (problem, line): (String, Int) =
            switch fault {
            case .tooLong: ("the file is longer than \(YAMLReader.maximumLength) bytes", 1)
            case .syntax(let problem, let line): ("not readable as YAML: \(problem)", line)
            case .tooDeep(let line): ("nested too deeply", line)
            case .alias(let line): ("aliases (*name) are not supported", line)
            case .keyIsNoText(let line): ("a key must be plain text", line)
            case .duplicateKey(let key, let line, let first):
                ("\(key) is repeated; it was first set in line \(first)", line)
            case .secondDocument(let line): ("a second document begins here; only one is allowed", line)
            }
        self.init(key: "", origin: .file(file, line: line), problem: .unreadable(problem))
    }
}

package enum ProcessEnvironment {
    package static func variables(withPrefix prefix: String) -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if line.hasPrefix(prefix), let equals = line.firstIndex(of: "=") {
                variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }

    /// The environment of programs that we start: search path, home directory and language; nothing of ours.
    static var forPrograms: [String: String] {
        ["PATH", "HOME", "LANG", "LC_ALL", "TZ"].reduce(into: [:]) { found, name in
            found[name] = variables(withPrefix: name + "=").values.first
        }
    }
}

extension SettingSources {
    /// Combines flags, the environment of this process and the file.
    ///
    /// - Parameters:
    ///   - flags: by key of the setting.
    ///   - path: the file; nil for the one named in the environment, if any.
    package static func read(flags: [String: String], file path: String?) throws(CommandFailure) -> SettingSources {
        let environment = ProcessEnvironment.variables(withPrefix: SettingTable.environmentPrefix)
        var file: (name: String, text: [UInt8])?
        if let path = path ?? environment[configVariable] {
            let text = try rethrowing(OpenFile(reading: path).contents(limit: YAMLReader.maximumLength)) {
                (fault: PrivateFileFault) in
                CommandFailure(.noInput, "\(path): \(fault.reason)")
            }
            file = (path, text)
        }
        return SettingSources(flags: flags, environment: environment, file: file)
    }
}
