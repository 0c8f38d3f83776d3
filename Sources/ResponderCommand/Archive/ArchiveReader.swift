import LightningCoding
import LightningCrypto

/// Unpacks an archive into a folder, and believes none of it before its list of contents agrees.
struct ArchiveReader: ~Copyable {
    private let archive: FileDescriptor

    init(reading path: String) throws(ArchiveFault) {
        archive = try FileDescriptor(reading: path)
    }

    /// Writes every file into a folder that holds none of them.
    ///
    /// - Throws: when something is wrong; what was written until then stays, to be thrown away by the caller.
    func unpack(into folder: String) throws(ArchiveFault) -> Manifest {
        var found: [String: Manifest.Entry] = [:]
        while let header = try TarHeader(archive.read(TarHeader.count)) {
            if header.name == Manifest.name {
                let manifest = try manifest(header)
                try check(found, against: manifest)
                return manifest
            }
            guard found[header.name] == nil else { throw .duplicate(header.name) }
            found[header.name] = try unpack(header, into: folder)
        }
        throw .noManifest
    }

    private func unpack(_ header: TarHeader, into folder: String) throws(ArchiveFault) -> Manifest.Entry {
        if let name = header.folder { try FileDescriptor.makeFolder(folder + "/" + name) }
        let file = try FileDescriptor(making: folder + "/" + header.name)
        var digest = SHA256()
        var left = header.size
        while left > 0 {
            let bytes = try archive.read(Int(min(left, UInt64(ArchiveWriter.chunk))))
            guard !bytes.isEmpty else { throw .truncated }
            digest.update(bytes)
            try file.write(bytes)
            left -= UInt64(bytes.count)
        }
        try skipPadding(after: header)
        try file.synchronize()
        return Manifest.Entry(name: header.name, size: header.size, digest: digest.finalized())
    }

    private func manifest(_ header: TarHeader) throws(ArchiveFault) -> Manifest {
        guard header.size <= UInt64(Manifest.maximumSize) else { throw .noManifest }
        let bytes = try archive.read(Int(header.size))
        guard bytes.count == Int(header.size) else { throw .truncated }
        return try Manifest(bytes)
    }

    private func skipPadding(after header: TarHeader) throws(ArchiveFault) {
        let padding = TarHeader.padding(after: header.size)
        guard try archive.read(padding).count == padding else { throw .truncated }
    }

    private func check(_ found: [String: Manifest.Entry], against manifest: Manifest) throws(ArchiveFault) {
        for entry in manifest.entries where found[entry.name] != entry { throw .altered(entry.name) }
        let listed = Set(manifest.entries.map(\.name))
        if let extra = found.keys.first(where: { !listed.contains($0) }) { throw .altered(extra) }
    }
}
