/// Where a node's count of settlements stands against a stored cursor.
public enum CursorStanding: Hashable, Sendable {
    /// The count has reached it: later settlements come after it.
    case reached
    /// The count was reset, as after the node's database was lost and rebuilt. Later settlements might never appear
    /// after the cursor.
    case countedAnew
    /// The node lists no settlement any more, as after it deleted them all, and does not tell its count. Reading from
    /// `beginning` misses none and repeats none.
    case nothingListed(beginning: SettlementCursor)
}
