/// Why a hook's configuration is invalid.
public enum HookFault: Error, Hashable, Sendable {
    /// No program is given.
    case noProgram
}
