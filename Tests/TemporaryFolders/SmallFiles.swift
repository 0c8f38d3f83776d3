#if canImport(Glibc)
package import Glibc
#else
package import Darwin
#endif

/// The system refused a file.
package struct SmallFileFault: Error {
    /// The system's `errno`.
    package let code: Int32
}

/// Makes a file anew, which only its owner may open unless the mode says otherwise.
package func writeFile(_ bytes: some Collection<UInt8>, to path: String, mode: mode_t = 0o600) throws {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw SmallFileFault(code: errno) }
    defer { close(descriptor) }
    let bytes = Array(bytes)
    guard write(descriptor, bytes, bytes.count) == bytes.count, fchmod(descriptor, mode) == 0 else {
        throw SmallFileFault(code: errno)
    }
}

/// The bytes of a file.
package func contentsOfFile(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw SmallFileFault(code: errno) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
    return bytes
}

/// The permissions of a file or folder; 0 when there is none.
package func mode(of path: String) -> mode_t {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
}
