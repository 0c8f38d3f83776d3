/// Why a private file was not made or not read.
public enum PrivateFileFault: Error, Hashable, Sendable {
    /// There is no such file.
    case notFound
    /// There is a file of that name already.
    case exists
    /// Users other than the owner may open it: its permission bits, such as 0o644.
    case openToOthers(mode: UInt16)
    /// It is a folder, a device or a pipe.
    case notAFile
    /// It is longer than what was expected of it.
    case tooLong
    /// The system refused for another reason: its error number.
    case system(errno: Int32)
}
