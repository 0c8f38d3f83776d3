/// What one client may use: sizes in bytes, times in seconds.
package struct LimitSettings: SettingGroup {
    package let body = Setting<UInt64>(
        "limits.body",
        standard: 16_384,
        in: 1_024...1_048_576,
        "The largest body of a request, in bytes."
    )
    package let header = Setting<UInt64>(
        "limits.header",
        standard: 16_384,
        in: 1_024...1_048_576,
        "The largest header of a request, in bytes."
    )
    package let headerField = Setting<UInt64>(
        "limits.header-field",
        standard: 8_192,
        in: 1_024...1_048_576,
        "The longest request target, and the longest header field, in bytes."
    )
    package let headerTime = Setting<UInt64>(
        "limits.header-time",
        standard: 10,
        in: 1...300,
        "Seconds after which a connection without a complete header is closed."
    )
    package let requestTime = Setting<UInt64>(
        "limits.request-time",
        standard: 30,
        in: 1...300,
        "Seconds after which a connection whose request is not answered is closed."
    )
    package let connections = Setting<UInt64>(
        "limits.connections",
        standard: 4_096,
        in: 1...1_000_000,
        "The most connections at once on each listener; further ones wait."
    )
}
