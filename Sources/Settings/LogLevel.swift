/// The least severe level that is logged, by the names of swift-log, which the one-shot process does not link.
package enum LogLevel: String, CaseIterable, Hashable, Sendable {
    case trace, debug, info, notice, warning, error, critical
}
