import LightningCoding
package import Settings

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
            let text = try rethrowing(TextFile.read(path, limit: YAMLReader.maximumLength)) { (fault: FileFault) in
                CommandFailure(.noInput, "\(path): \(fault.reason)")
            }
            file = (path, text)
        }
        return SettingSources(flags: flags, environment: environment, file: file)
    }
}

extension ServiceConfiguration {
    /// The validated configuration.
    package static func read(_ sources: SettingSources) throws(CommandFailure) -> ServiceConfiguration {
        try rethrowing(ServiceConfiguration(sources)) { (fault: ConfigurationFaults) in CommandFailure(fault) }
    }
}
