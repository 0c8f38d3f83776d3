import Platform

/// Places of a ``FairShare`` for concurrent use.
public final class SharedPlaces: Sendable {
    private let share: Guarded<FairShare>

    /// Creates free places.
    public init(_ total: Int) {
        share = Guarded(FairShare(total))
    }

    /// How many there are. Those that are taken stay taken when there are fewer.
    public var total: Int {
        get { share.withLock { $0.total } }
        set { share.withLock { $0.total = newValue } }
    }

    /// How many are taken.
    public var count: Int { share.withLock { $0.count } }

    /// Takes a place, which is free again when nobody refers to it any more.
    public func take(_ who: FairShare.Stranger) throws(FairShare.Refusal) -> Place {
        try share.withLock { share throws(FairShare.Refusal) in try share.take(who) }
        return Place { [share] in share.withLock { $0.release(who) } }
    }

    /// A place that is taken.
    public final class Place: Sendable {
        private let release: @Sendable () -> Void

        fileprivate init(_ release: @escaping @Sendable () -> Void) {
            self.release = release
        }

        deinit { release() }
    }
}
