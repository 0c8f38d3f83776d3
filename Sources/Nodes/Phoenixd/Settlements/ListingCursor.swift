import LightningCrypto
import ResponderModel

/// The position in the list of payments. phoenixd does not number them: payments have the time of their completion, by
/// a clock that may step back, and are listed a moment later. So the last ten minutes are read again each time, and
/// payments already seen are recognized by their hash.
///
/// Times in the future, by our clock, do not move `floor`: they come from a wrong clock, and once it is corrected
/// payments have earlier times.
struct ListingCursor: Hashable, Sendable {
    /// The time to read from, in milliseconds since 1970.
    private(set) var floor: UInt64
    /// The payments seen from there on, in the order in which they were seen.
    private(set) var seen: [Seen]

    struct Seen: Hashable, Sendable {
        /// In milliseconds since 1970.
        let time: UInt64
        /// The first 8 bytes of the payment hash.
        let digest: UInt64
    }

    /// How many milliseconds are read again.
    static let overlap: UInt64 = 600_000
    /// How many payments are stored; if a node receives more in ten minutes, a shorter span is read again.
    static let capacity = 100
    /// The maximum number of payments with future times to remember; earlier ones are reported again.
    static let futureCapacity = 10_000

    init() {
        floor = 0
        seen = []
    }

    /// The present.
    ///
    /// - Parameter now: our clock, in milliseconds since 1970.
    init(present now: UInt64) {
        floor = Self.before(now)
        seen = []
    }

    func contains(_ paymentHash: PaymentHash) -> Bool {
        let digest = Self.digest(paymentHash)
        return seen.contains { $0.digest == digest }
    }

    /// Adds a payment, and drops those too old to be read again.
    ///
    /// - Parameter now: our clock, in milliseconds since 1970.
    mutating func add(_ paymentHash: PaymentHash, at time: UInt64, now: UInt64) {
        seen.append(Seen(time: time, digest: Self.digest(paymentHash)))
        let newest = min(seen.map(\.time).max() ?? time, now)
        floor = max(floor, Self.before(newest))
        if seen.count > Self.capacity, let oldest = seen.map(\.time).min(), oldest < now {
            // After the oldest ones, with all others of the same moment.
            floor = max(floor, oldest + 1)
        }
        seen.removeAll { $0.time < floor }
        seen.removeFirst(max(0, seen.count - Self.futureCapacity))
    }

    /// Moves back when our clock was set back, or when an older version has followed a clock that was ahead.
    ///
    /// - Parameter now: our clock, in milliseconds since 1970.
    mutating func stayBehind(_ now: UInt64) {
        if floor > now { floor = Self.before(now) }
    }

    private static func before(_ time: UInt64) -> UInt64 { time < overlap ? 0 : time - overlap }

    private static func digest(_ paymentHash: PaymentHash) -> UInt64 {
        paymentHash.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension ListingCursor {
    /// Reads `listed floor time-digest time-digest …`, decimal times and hexadecimal digests; nil when the cursor
    /// belongs to another kind of node.
    init?(_ cursor: SettlementCursor) {
        let words = cursor.text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 2, words.count <= Self.capacity + 2, words[0] == "listed", let floor = UInt64(words[1])
        else { return nil }
        self.floor = floor
        seen = []
        for word in words.dropFirst(2) {
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let time = UInt64(parts[0]), parts[1].utf8.count == 16,
                let digest = UInt64(parts[1], radix: 16)
            else { return nil }
            seen.append(Seen(time: time, digest: digest))
        }
    }

    var cursor: SettlementCursor {
        let words = seen.suffix(Self.capacity).map { seen in
            let digits = String(seen.digest, radix: 16)
            return "\(seen.time)-" + String(repeating: "0", count: 16 - digits.count) + digits
        }
        return SettlementCursor((["listed", String(floor)] + words).joined(separator: " "))
    }
}
