#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The environment variables of this process.
package enum ProcessEnvironment {
    /// All variables with a name prefix.
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
