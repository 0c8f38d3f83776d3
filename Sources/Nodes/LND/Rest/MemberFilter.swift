/// Reads JSON piece by piece and keeps only the members that are needed, whatever the length of the others: payers decide how
/// long the list of an invoice's HTLCs is, canceled ones and their custom records included (`invoices/update.go`).
///
/// It checks no syntax. What it keeps of invalid JSON is not valid either.
struct MemberFilter: Sendable {
    /// How many bytes are read at most outside the values that are skipped.
    private let limit: Int
    private var count = 0
    private(set) var kept: [UInt8] = []
    /// Whether there was more, which was not read.
    private(set) var isTooLong = false

    /// The objects and arrays that the position is in, as far as members in them are kept.
    private var open: [Container] = []
    private var key: [UInt8] = []
    private var state = State.between

    private struct Container: Sendable {
        let isObject: Bool
        var isEmpty = true
    }

    private enum State: Sendable {
        case between
        case key(isEscaped: Bool)
        /// Of the key that was read last; the value comes next.
        case afterKey
        /// In a value that is kept or skipped as a whole.
        case value(isKept: Bool, depth: Int, Place)
    }

    private enum Place: Sendable {
        case outside
        case string
        case escape
    }

    private enum Rule {
        case keep
        case enter
        case skip
    }

    init(limit: Int) {
        self.limit = limit
    }

    /// The members of answers about invoices, of errors, and of their envelopes (`lnrpc/lightning.proto`).
    private static func rule(of key: [UInt8]) -> Rule {
        switch String(decoding: key, as: UTF8.self) {
        case "result", "error", "invoices": .enter
        case "code", "message", "first_index_offset", "last_index_offset", "add_index", "settle_index", "r_hash",
            "r_preimage", "state", "settle_date", "amt_paid_msat", "is_amp", "amp_invoice_state":
            .keep
        default: .skip
        }
    }

    private static let longestKey = 32
    private static let deepest = 8

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            guard !isTooLong else { return }
            read(byte)
        }
    }

    private mutating func read(_ byte: UInt8) {
        if case .value(isKept: false, _, _) = state {} else { count += 1 }
        isTooLong = count > limit
        switch state {
        case .between:
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ","):
                return
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                keep(byte)
            case UInt8(ascii: "\"") where open.last?.isObject == true:
                key = []
                state = .key(isEscaped: false)
            default: begin(byte, open.last?.isObject == true ? .skip : .enter)
            }
        case .key(let isEscaped):
            if byte == UInt8(ascii: "\""), !isEscaped {
                state = .afterKey
            } else {
                // A longer one is no member that is kept.
                if key.count <= Self.longestKey { key.append(byte) }
                state = .key(isEscaped: byte == UInt8(ascii: "\\") && !isEscaped)
            }
        case .afterKey:
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ":"):
                return
            default: begin(byte, Self.rule(of: key))
            }
        case .value(let isKept, let depth, let place): readValue(byte, isKept, depth, place)
        }
    }

    /// The first byte of a value.
    private mutating func begin(_ byte: UInt8, _ rule: Rule) {
        let isContainer = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
        if rule != .skip, let container = open.last {
            if !container.isEmpty { keep(UInt8(ascii: ",")) }
            open[open.count - 1].isEmpty = false
            if container.isObject {
                keep(UInt8(ascii: "\""))
                for byte in key { keep(byte) }
                keep(UInt8(ascii: "\""))
                keep(UInt8(ascii: ":"))
            }
        }
        if rule == .enter, isContainer, open.count < Self.deepest {
            open.append(Container(isObject: byte == UInt8(ascii: "{")))
            keep(byte)
            state = .between
        } else {
            readValue(byte, rule != .skip, 0, .outside)
        }
    }

    private mutating func readValue(_ byte: UInt8, _ isKept: Bool, _ depth: Int, _ place: Place) {
        var (depth, place) = (depth, place)
        var isOver = false
        switch (place, byte) {
        case (.escape, _): place = .string
        case (.string, UInt8(ascii: "\\")): place = .escape
        case (.string, UInt8(ascii: "\"")):
            place = .outside
            isOver = depth == 0
        case (.string, _): break
        case (.outside, UInt8(ascii: "\"")): place = .string
        case (.outside, UInt8(ascii: "{")), (.outside, UInt8(ascii: "[")): depth += 1
        case (.outside, UInt8(ascii: "}")), (.outside, UInt8(ascii: "]")):
            guard depth > 0 else { return end(before: byte) }
            depth -= 1
            isOver = depth == 0
        case (.outside, UInt8(ascii: ",")), (.outside, UInt8(ascii: " ")), (.outside, UInt8(ascii: "\n")):
            if depth == 0 { return end(before: byte) }
        case (.outside, _): break
        }
        if isKept { keep(byte) }
        state = isOver ? .between : .value(isKept: isKept, depth: depth, place)
    }

    /// A number or a word ends with what follows it.
    private mutating func end(before byte: UInt8) {
        state = .between
        read(byte)
    }

    private mutating func keep(_ byte: UInt8) {
        kept.append(byte)
    }
}

/// Splits a stream of bytes into lines (`grpc-gateway` ends each message with a line feed), of which `MemberFilter` keeps what
/// is needed.
struct FilteredLines: Sendable {
    private let limit: Int
    private var line: MemberFilter
    private var complete: [MemberFilter] = []

    init(limit: Int) {
        self.limit = limit
        line = MemberFilter(limit: limit)
    }

    mutating func append(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line.append(rest[..<end])
            rest = rest[(end + 1)...]
            if !line.kept.isEmpty || line.isTooLong { complete.append(line) }
            line = MemberFilter(limit: limit)
        }
        line.append(rest)
    }

    /// Whether the line that has begun has passed the limit without a single value, which no answer of LND does.
    var isNoise: Bool { line.isTooLong && line.kept.isEmpty }

    /// The next complete line that is not empty; nil when more bytes are needed.
    mutating func next() -> MemberFilter? {
        complete.isEmpty ? nil : complete.removeFirst()
    }
}
