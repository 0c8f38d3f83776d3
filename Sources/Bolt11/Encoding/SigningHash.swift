import LightningCrypto

/// The hash that an invoice's signature signs (BOLT 11, "Data Part"): the SHA-256 of the human-readable part and the
/// data part without the signature, padded with zero bits to a whole byte.
func signingHash(humanReadablePart: String, groups: ArraySlice<UInt8>) -> [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(humanReadablePart.utf8.count + groups.count * 5 / 8 + 1)
    message.append(contentsOf: humanReadablePart.utf8)
    var pending: UInt32 = 0
    var bits: UInt32 = 0
    for group in groups {
        pending = pending << 5 | UInt32(group)
        bits += 5
        if bits >= 8 {
            bits -= 8
            message.append(UInt8(truncatingIfNeeded: pending >> bits))
        }
    }
    if bits > 0 {
        message.append(UInt8(truncatingIfNeeded: pending << (8 - bits)))
    }
    return SHA256.hash(message)
}
