/// The least severe lines that are logged, by the names of swift-log, which a process that answers once does without.
package enum LogLevel: String, CaseIterable, Hashable, Sendable {
    case trace, debug, info, notice, warning, error, critical
}
