public import LightningCoding

extension Value {
    /// A time, in seconds since 1970.
    public static func time(_ time: UnixTime) throws(StorageFault) -> Value {
        try .unsigned(time.seconds)
    }

    /// An amount, in msat.
    public static func amount(_ amount: Millisatoshi) throws(StorageFault) -> Value {
        try .unsigned(amount.msat)
    }
}

extension Row {
    /// A time, in seconds since 1970.
    public func time(_ column: Int32) throws(StorageFault) -> UnixTime {
        UnixTime(try unsigned(column))
    }

    /// An amount, in msat.
    public func amount(_ column: Int32) throws(StorageFault) -> Millisatoshi {
        Millisatoshi(try unsigned(column))
    }
}
