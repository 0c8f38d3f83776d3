import Platform

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Files and standard streams, read whole up to a limit.
enum Streams {
    static let output: Int32 = 1
    static let errors: Int32 = 2

    /// Enough for any response of a service, without exhausting memory.
    private static let maximumCount = 4 << 20

    /// Reads a file, or standard input for `-`.
    static func read(_ path: String) throws(ToolFault) -> [UInt8] {
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { if descriptor > 0 { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = systemRead(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else { throw .unreadable(path) }
            guard bytes.count + count <= maximumCount else { throw .tooLongInput(path) }
            bytes += buffer[..<count]
        }
    }

    /// Reads a text, without surrounding white space.
    static func readText(_ path: String) throws(ToolFault) -> String {
        let bytes = try read(path)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(path) }
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    /// Writes a file readable by everyone.
    static func write(_ bytes: [UInt8], to path: String) throws(ToolFault) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .unwritable(path) }
        defer { close(descriptor) }
        guard write(bytes, to: descriptor) else { throw .unwritable(path) }
    }

    /// Writes everything to an open descriptor; false when the reader has closed it.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        write(Array(text.utf8), to: descriptor)
    }

    static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }
}

// Inside the enum, its own functions hide the system's.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

/// A progress line on standard error: rewritten on a terminal, written once elsewhere.
final class Progress: Sendable {
    private let isTerminal = Streams.isTerminal(Streams.errors)
    private let isShown = Guarded(false)

    /// - Parameter once: what is written in its place where it cannot be rewritten.
    func show(_ line: String, once: String) {
        let isFirst = isShown.withLock { isShown in
            defer { isShown = true }
            return !isShown
        }
        if isTerminal {
            Streams.write("\r\u{1B}[K… \(line)", to: Streams.errors)
        } else if isFirst {
            Streams.write("… \(once)\n", to: Streams.errors)
        }
    }

    func end() {
        if isTerminal, isShown.withLock({ $0 }) { Streams.write("\r\u{1B}[K", to: Streams.errors) }
    }
}
