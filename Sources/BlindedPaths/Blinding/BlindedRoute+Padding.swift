import LightningCoding

extension BlindedRoute {
    /// Pads the data of all nodes to one length, so that lengths do not reveal which node is the recipient. Existing
    /// padding is replaced. Throws `invalidRecipientData`.
    public func padded() throws(BlindedPathFault) -> BlindedRoute {
        var route = self
        var counts: [Int] = []
        for index in nodes.indices {
            route.nodes[index].data.padding = nil
            let bytes = try rethrowing(
                route.nodes[index].data.encoded(), as: BlindedPathFault.invalidRecipientData)
            counts.append(bytes.count)
        }
        let longest = counts.max() ?? 0
        // A padding record takes at least 2 bytes and grows in jumps when its length field does, so a common length
        // that all can reach is always near.
        for total in longest... where counts.allSatisfy({ Padding(filling: total - $0) != nil }) {
            for (index, count) in counts.enumerated() {
                route.nodes[index].data.padding = Padding(filling: total - count)?.count
            }
            break
        }
        return route
    }
}

/// The record that fills a gap of some bytes, if possible.
private struct Padding {
    /// The bytes of its value; nil when the gap is zero and needs no record.
    let count: Int?

    init?(filling gap: Int) {
        guard gap > 0 else {
            count = nil
            return
        }
        // Type, a length of 1, 3 or 5 bytes, value.
        let fitting = [(2, 0...0xfc), (4, 0xfd...0xffff), (6, 0x1_0000...0xffff_ffff)]
            .first { head, range in range.contains(gap - head) }
        guard let (head, _) = fitting else { return nil }
        count = gap - head
    }
}
