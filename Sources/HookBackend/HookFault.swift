/// Why no hook can be made of what was configured.
public enum HookFault: Error, Hashable, Sendable {
    /// No program is named.
    case noProgram
}
