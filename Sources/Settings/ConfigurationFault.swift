/// One mistake in the configuration, and where it is.
package struct ConfigurationFault: Error, Hashable, Sendable {
    /// The source of a value.
    package enum Origin: Hashable, Sendable {
        case flag(String)
        case environment(String)
        case file(String, TextPlace)
        case standard
    }

    package enum Problem: Hashable, Sendable {
        /// No setting has that name; perhaps a similar one was meant.
        case unknown(suggestion: String?)
        /// The value is invalid.
        case value(SettingProblem)
        /// A mapping instead of a single value, or the reverse.
        case wrongShape(expected: String)
        /// A required value is missing.
        case missing(String)
        /// The file is not readable YAML.
        case unreadable(String)
    }

    /// The key as written.
    package let key: String
    package let origin: Origin
    package let problem: Problem
}

/// All mistakes of a configuration.
package struct ConfigurationFaults: Error, Hashable, Sendable {
    package let faults: [ConfigurationFault]
}

extension ConfigurationFault: CustomStringConvertible {
    /// The message for people.
    package var description: String {
        let subject = key.isEmpty ? place : "\(place): \(key)"
        switch problem {
        case .unknown(let suggestion):
            return "\(subject) is no setting" + (suggestion.map { "; did you mean \($0)?" } ?? "")
        case .value(.wrongForm(let expected)): return "\(subject) must be \(expected)"
        case .value(.notAllowed(let reason)): return "\(subject) \(reason)"
        case .wrongShape(let expected): return "\(subject) must be \(expected)"
        case .missing(let reason): return "\(subject) is missing: \(reason)"
        case .unreadable(let reason): return "\(place): \(reason)"
        }
    }

    private var place: String {
        switch origin {
        case .flag(let flag): "flag --\(flag)"
        case .environment(let name): "environment variable \(name)"
        case .file(let path, let place): "\(path), line \(place.line)"
        case .standard: "configuration"
        }
    }
}
