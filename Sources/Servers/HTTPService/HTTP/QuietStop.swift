import Logging

/// Drops the errors that the HTTP server logs when it is stopped during startup because another service has failed:
/// that failure is logged where it happened.
struct QuietStop: LogHandler {
    var inner: any LogHandler

    /// Messages of the server's module that only report the stop.
    private static let module = "HummingbirdCore"
    private static let lines: Set<String> = [
        "Waiting on child channel: CancellationError()", "Server shutdown error: Already closed",
    ]

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        guard event.source != Self.module || !Self.lines.contains("\(event.message)") else { return }
        inner.log(event: event)
    }
}

extension Logger {
    /// The same logger without those messages.
    var quietAtStop: Logger {
        var logger = Logger(label: label) { [handler] _ in QuietStop(inner: handler) }
        logger.logLevel = logLevel
        return logger
    }
}
