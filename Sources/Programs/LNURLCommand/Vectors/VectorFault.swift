package enum VectorFault: Error, Hashable, Sendable {
    /// A file or folder that cannot be used: which, the case in it, and why.
    case unusable(String)
    /// The program was started several times, and has never answered.
    case silentProgram(String)

    static func unreadable(_ path: String) -> Self { .unusable("\(path): it cannot be read") }

    package var reason: String {
        switch self {
        case .unusable(let reason): reason
        case .silentProgram(let command): "\(command): it was started three times, and gave no answer"
        }
    }
}
