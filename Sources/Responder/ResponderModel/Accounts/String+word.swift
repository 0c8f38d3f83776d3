extension String {
    /// Whether it has 1 to so many characters of `a-z 0-9`, with `A-Z` where capitals are allowed, and of some others.
    func isWord(upTo longest: Int, capitals: Bool = false, or others: String) -> Bool {
        guard (1...longest).contains(utf8.count) else { return false }
        return utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): capitals
            default: others.utf8.contains(byte)
            }
        }
    }
}
