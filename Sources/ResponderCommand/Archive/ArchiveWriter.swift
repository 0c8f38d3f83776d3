import LightningCoding
import LightningCrypto

/// Writes an archive, file after file, and its list of contents at the end.
struct ArchiveWriter: ~Copyable {
    private let archive: FileDescriptor
    private let now: UnixTime
    private var entries: [Manifest.Entry] = []

    static let chunk = 1 << 16

    /// Makes the archive; there must be no file of that name.
    init(making path: String, at now: UnixTime) throws(ArchiveFault) {
        archive = try FileDescriptor(making: path)
        self.now = now
    }

    /// Adds a file that nobody changes meanwhile.
    mutating func add(_ path: String, as name: String) throws(ArchiveFault) {
        let file = try FileDescriptor(reading: path)
        let size = try file.size()
        try archive.write(TarHeader(name: name, size: size, mode: 0o600, modifiedAt: now.seconds).bytes)
        var digest = SHA256()
        var left = size
        while left > 0 {
            let bytes = try file.read(Int(min(left, UInt64(Self.chunk))))
            guard !bytes.isEmpty else { throw .truncated }
            digest.update(bytes)
            try archive.write(bytes)
            left -= UInt64(bytes.count)
        }
        try archive.write([UInt8](repeating: 0, count: TarHeader.padding(after: size)))
        entries.append(Manifest.Entry(name: name, size: size, digest: digest.finalized()))
    }

    /// Adds the list of contents; the archive is whole and durable on return.
    consuming func finish() throws(ArchiveFault) -> Manifest {
        let manifest = Manifest(entries: entries)
        let bytes = manifest.json.serializedBytes()
        let header = try TarHeader(
            name: Manifest.name, size: UInt64(bytes.count), mode: 0o600, modifiedAt: now.seconds
        )
        try archive.write(header.bytes + bytes)
        try archive.write([UInt8](repeating: 0, count: TarHeader.padding(after: header.size) + 2 * TarHeader.count))
        try archive.synchronize()
        return manifest
    }
}
