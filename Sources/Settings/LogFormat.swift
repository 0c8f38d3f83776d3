/// The format of log lines.
package enum LogFormat: String, CaseIterable, Hashable, Sendable {
    /// `2026-11-21T03:27:03Z info invoice settled account=alice`
    case text
    /// One JSON object.
    case json
}
