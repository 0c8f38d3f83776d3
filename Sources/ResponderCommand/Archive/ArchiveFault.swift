import Responding
import Installing

/// Why an archive was not written, or is none of ours.
enum ArchiveFault: Error, Hashable, Sendable {
    /// It ends too early.
    case truncated
    /// It is no tar archive.
    case notAnArchive
    /// A header is damaged.
    case badChecksum
    /// A number in a header is none.
    case badNumber
    /// It holds something else than plain files.
    case notAPlainFile
    /// A name is empty, too long, or would lead out of the folder.
    case badName
    /// A file is larger than the format allows.
    case tooLarge
    /// Two files have the same name.
    case duplicate(String)
    /// The list of contents at its end is missing or not readable.
    case noManifest
    /// It was made by a newer version of this software.
    case newerVersion
    /// A file is not what the list of contents says.
    case altered(String)
    /// The system refused: its error number.
    case system(errno: Int32)

    /// What a person reads.
    var reason: String {
        switch self {
        case .truncated: "the archive is cut off"
        case .notAnArchive: "this is no tar archive"
        case .badChecksum, .badNumber: "the archive is damaged"
        case .notAPlainFile: "the archive holds something else than plain files"
        case .badName: "a name in the archive is not allowed"
        case .tooLarge: "a file is larger than 8 GiB, which the archive cannot hold"
        case .duplicate(let name): "the archive holds \(name) twice"
        case .noManifest: "the archive has no readable list of contents at its end; is it a backup?"
        case .newerVersion: "the archive was made by a newer version of this software"
        case .altered(let name): "\(name) in the archive is not what was backed up"
        case .system(let number): FileFault.system(errno: number).reason
        }
    }
}
