package import ResponderModel
import LedgerRecords
import Platform

/// Counts that all instances share: for each key the moment when it is as if nothing had ever been taken, by the server's
/// clock, in nanoseconds (GCRA).
extension ServerLedger: SharedRates {
    package var sharedRates: (any SharedRates)? { self }

    static let nanoseconds = "((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000)"

    package func take(
        _ key: [UInt8], every interval: Duration, burst: Int
    ) async throws(LedgerFault) -> Duration? {
        let step = max(interval.wholeNanoseconds, 1)
        return try await write(
            """
            WITH clock AS MATERIALIZED (SELECT \(Self.nanoseconds) AS now), taken AS (
                INSERT INTO rate AS known (key, tat) SELECT $1, now + $2 FROM clock
                ON CONFLICT (key) DO UPDATE SET tat = greatest(known.tat, excluded.tat - $2) + $2
                WHERE greatest(known.tat, excluded.tat - $2) + $2 - (excluded.tat - $2) <= $3
                RETURNING tat
            )
            SELECT greatest(coalesce((SELECT tat FROM rate WHERE key = $1) + $2 - $3 - now, $2), 1) AS wait
            FROM clock WHERE NOT EXISTS (SELECT 1 FROM taken)
            """, [.blob(key), .integer(step), .integer(Self.window(of: burst, every: step))]
        ) { row throws(LedgerFault) in Duration.nanoseconds(try row.integer("wait")) }.first
    }

    /// At most thirty years: sums with the server's time must fit.
    private static func window(of burst: Int, every step: Int64) -> Int64 {
        let (window, isTooLong) = step.multipliedReportingOverflow(by: Int64(max(burst, 1)))
        return isTooLong ? 1_000_000_000_000_000_000 : min(window, 1_000_000_000_000_000_000)
    }

    package func putBack(_ key: [UInt8], every interval: Duration) async throws(LedgerFault) {
        try await change(
            "UPDATE rate SET tat = tat - $2 WHERE key = $1",
            [.blob(key), .integer(max(interval.wholeNanoseconds, 1))])
    }
}
