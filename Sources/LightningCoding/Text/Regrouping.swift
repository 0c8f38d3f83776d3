/// Bits in groups of 5, most significant bit first: the basis of bech32 and z-base-32.
enum Regrouping {
    /// Splits bytes into 5-bit groups; the last one is padded with zero bits.
    static func groups(fromBytes bytes: [UInt8]) -> [UInt8] {
        var groups: [UInt8] = []
        groups.reserveCapacity((bytes.count * 8 + 4) / 5)
        var pending: UInt32 = 0
        var pendingBits: UInt32 = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            pendingBits += 8
            while pendingBits >= 5 {
                pendingBits -= 5
                groups.append(UInt8(truncatingIfNeeded: pending >> pendingBits) & 0x1f)
            }
        }
        if pendingBits > 0 {
            groups.append(UInt8(truncatingIfNeeded: pending << (5 - pendingBits)) & 0x1f)
        }
        return groups
    }

    /// Joins 5-bit groups to bytes. The remainder must be fewer than 5 bits, all zero.
    ///
    /// Throws `outOfRange` for a group above 31 and `badPadding` for the remainder, at the index of the group.
    static func bytes(fromGroups groups: some Collection<UInt8>) throws(CodingFault) -> [UInt8] {
        let groups = Array(groups)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(groups.count * 5 / 8)
        var pending: UInt32 = 0
        var pendingBits: UInt32 = 0
        for index in groups.indices {
            let group = groups[index]
            guard group < 32 else { throw CodingFault(.outOfRange, at: index) }
            pending = pending << 5 | UInt32(group)
            pendingBits += 5
            if pendingBits >= 8 {
                pendingBits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> pendingBits))
            }
        }
        let padding = pending & (1 << pendingBits - 1)
        guard pendingBits < 5, padding == 0 else { throw CodingFault(.badPadding, at: groups.count - 1) }
        return bytes
    }
}
