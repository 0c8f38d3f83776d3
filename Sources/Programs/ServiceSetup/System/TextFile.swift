import LightningCoding
package import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file that need not be private, such as the configuration.
package enum TextFile {
    /// Why a file cannot be read; nil when it can.
    package static func obstacle(_ path: String) -> String? {
        do {
            _ = try read(path, limit: 0)
            return nil
        } catch .tooLong {
            return nil
        } catch {
            return error.reason
        }
    }

    package static func read(_ path: String, limit: Int) throws(PrivateFileFault) -> [UInt8] {
        guard let file = fopen(path, "rbe") else { throw errno == ENOENT ? .notFound : .system(errno: errno) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw .system(errno: errno) }
        guard count <= limit else { throw .tooLong }
        return Array(bytes[..<count])
    }
}

/// Standard output and standard error, unbuffered, so that lines of several threads do not mix.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes a text; false when that failed, such as on a full disk.
    @discardableResult
    package func write(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(rawValue, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}

// Renamed, for types that have methods of the same names.

package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

package func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

package func systemRename(_ path: String, _ target: String) -> Int32 {
    rename(path, target)
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
            let text = try rethrowing(TextFile.read(path, limit: YAMLReader.maximumLength)) {
                (fault: PrivateFileFault) in
                CommandFailure(.noInput, "\(path): \(fault.reason)")
            }
            file = (path, text)
        }
        return SettingSources(flags: flags, environment: environment, file: file)
    }
}

extension ServiceConfiguration {
    package static func read(_ sources: SettingSources) throws(CommandFailure) -> ServiceConfiguration {
        try rethrowing(ServiceConfiguration(sources)) { (fault: ConfigurationFaults) in CommandFailure(fault) }
    }
}
