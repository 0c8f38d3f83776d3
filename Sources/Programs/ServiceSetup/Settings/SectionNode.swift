package import LightningCoding

/// A value inside a section of the file, with its full key and line; section types are read from it.
package struct SectionNode: Hashable, Sendable {
    /// From the root of the file, with dots between the names; `[2]` is the second element of a list.
    package let key: String
    let node: YAMLNode
    let file: String

    /// The fault that this value breaks a rule; the reason follows its key: `is no address`.
    package func fault(_ reason: String) -> ConfigurationFaults {
        fault(.value(.notAllowed(reason)))
    }

    func fault(_ problem: ConfigurationFault.Problem) -> ConfigurationFaults {
        ConfigurationFaults(
            faults: [ConfigurationFault(key: key, origin: .file(file, line: node.line), problem: problem)])
    }

    /// The members of a mapping, in the written order.
    package func entries() throws(ConfigurationFaults) -> [(name: String, node: SectionNode)] {
        guard case .mapping(let entries) = node.content else {
            throw fault(.value(.wrongForm(expected: "keys with values")))
        }
        return entries.map { entry in
            // A fault of a single value points at its key, as elsewhere in the file.
            let line = if case .scalar = entry.value.content { entry.line } else { entry.value.line }
            let value = YAMLNode(content: entry.value.content, line: line)
            return (entry.key, SectionNode(key: "\(key).\(entry.key)", node: value, file: file))
        }
    }

    /// Reads each member of a mapping; throws the faults of all at once.
    func forEachEntry(
        _ read: (String, SectionNode) throws(ConfigurationFaults) -> Void
    ) throws(ConfigurationFaults) {
        var faults: [ConfigurationFault] = []
        for (name, node) in try entries() {
            _ = faults.collecting { () throws(ConfigurationFaults) in try read(name, node) }
        }
        guard faults.isEmpty else { throw ConfigurationFaults(faults: faults) }
    }

    func faults(ofFiles obstacle: (String) -> String?) -> [ConfigurationFault] {
        guard case .scalar(let path) = node.content else {
            return ((try? entries()) ?? []).flatMap { $0.node.faults(ofFiles: obstacle) }
        }
        guard key.hasSuffix(SettingSources.fileSuffix), let obstacle = obstacle(path) else { return [] }
        return fault(SettingSources.unreadable(path, obstacle)).faults
    }

    package func elements() throws(ConfigurationFaults) -> [SectionNode] {
        guard case .sequence(let elements) = node.content else { throw fault(.value(.wrongForm(expected: "a list"))) }
        return elements.enumerated().map { index, element in
            SectionNode(key: "\(key)[\(index + 1)]", node: element, file: file)
        }
    }

    /// This value as a type, by the rules of a setting whose own name does not matter.
    package func value<Value>(as setting: Setting<Value>) throws(ConfigurationFaults) -> Value {
        do {
            return try setting.read(try text(of: setting))
        } catch let problem as SettingProblem {
            throw fault(.value(problem))
        } catch let faults as ConfigurationFaults {
            throw faults
        } catch {
            throw fault(error.readableReason)
        }
    }

    /// The members of a mapping whose keys are known.
    ///
    /// - Parameters:
    ///   - rows: single values.
    ///   - nested: names of members that are sections themselves.
    ///   - body: makes a value of them. It is not called when one of them is malformed.
    /// - Throws: all their faults at once, and those of `body`.
    package func fields<Value>(
        _ rows: [any SettingRow],
        nested: [String] = [],
        _ body: (SectionFields) throws(ConfigurationFaults) -> Value
    ) throws(ConfigurationFaults) -> Value {
        var faults: [ConfigurationFault] = []
        var members: [ExactText: SectionNode] = [:]
        var isMalformed = false
        for (name, node) in try entries() {
            if let row = rows.first(where: { $0.key.isExactly(name) }) {
                do throws(ConfigurationFaults) {
                    try node.check(row)
                } catch {
                    isMalformed = true
                    faults += error.faults
                }
            } else if !nested.contains(where: { $0.isExactly(name) }) {
                let near = NearestName.to(name, among: rows.map(\.key) + nested)
                faults += node.fault(.unknown(suggestion: near)).faults
            }
            members[ExactText(name)] = node
        }
        let fields = SectionFields(section: self, members: members)
        let value = isMalformed ? nil : faults.collecting { () throws(ConfigurationFaults) in try body(fields) }
        guard faults.isEmpty, let value else { throw ConfigurationFaults(faults: faults) }
        return value
    }

    private func check(_ row: any SettingRow) throws(ConfigurationFaults) {
        let text = try text(of: row)
        do {
            try row.check(text)
        } catch {
            throw fault(.value(error))
        }
    }

    /// The text of a single value, or of a list in the syntax of a flag.
    func text(of row: any SettingRow) throws(ConfigurationFaults) -> String {
        switch node.content {
        case .scalar(let text): return text
        case .sequence(let elements) where row.isList: return try elements.settingText(row, key: key, file: file)
        case .sequence, .mapping: throw fault(.value(.wrongForm(expected: row.form)))
        }
    }
}

/// The members of a mapping inside a section, all validated.
package struct SectionFields: Sendable {
    package let section: SectionNode
    fileprivate let members: [ExactText: SectionNode]

    /// The value of a setting, or its default.
    package subscript<Value>(setting: Setting<Value>) -> Value {
        guard let member = members[ExactText(setting.key)], let value = try? member.value(as: setting) else {
            return setting.standard
        }
        return value
    }

    package subscript(nested name: String) -> SectionNode? {
        members[ExactText(name)]
    }

    /// A setting without effect is a mistake of the operator's.
    package func refuse(_ settings: [any SettingRow], _ reason: String) throws(ConfigurationFaults) {
        let faults = settings.compactMap { members[ExactText($0.key)]?.fault(reason).faults }.flatMap(\.self)
        guard faults.isEmpty else { throw ConfigurationFaults(faults: faults) }
    }

    package func required<Value>(_ setting: Setting<Value?>) throws(ConfigurationFaults) -> Value {
        guard let value = self[setting] else { throw section.fault("needs \(setting.key)") }
        return value
    }
}

extension [YAMLNode] {
    /// A list in the syntax of a flag; each element is checked separately so that a fault has its own line.
    func settingText(_ row: any SettingRow, key: String, file: String) throws(ConfigurationFaults) -> String {
        var texts: [String] = []
        var faults: [ConfigurationFault] = []
        for element in self {
            let node = SectionNode(key: key, node: element, file: file)
            guard case .scalar(let text) = element.content, !text.contains(",") else {
                faults += node.fault(.value(.wrongForm(expected: row.form))).faults
                continue
            }
            do {
                try row.check(text)
                texts.append(text)
            } catch {
                faults += node.fault(.value(error)).faults
            }
        }
        guard faults.isEmpty else { throw ConfigurationFaults(faults: faults) }
        return texts.isEmpty ? SettingList.empty : texts.joined(separator: ",")
    }
}

extension SectionNode {
    package var origin: ConfigurationFault.Origin { .file(file, line: node.line) }

    /// The same value as JSON, which is valid YAML.
    package var json: JSONValue { node.json }
}

extension YAMLNode {
    fileprivate var json: JSONValue {
        switch content {
        case .scalar(let text): return .string(text)
        case .sequence(let elements): return .array(elements.map(\.json))
        case .mapping(let entries):
            var object = JSONObject()
            for entry in entries { object.append(entry.key, entry.value.json) }
            return .object(object)
        }
    }
}
