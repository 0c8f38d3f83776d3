import LightningCoding

/// Splits a stream of JSON objects.
///
/// The node writes objects one after the other, with or without white space between them (lightningd writes `\n\n`,
/// without a guarantee): an object ends at its closing bracket, not at a line end.
struct DocumentSplitter {
    enum Fault: Error, Hashable, Sendable {
        case notAnObject
        case tooLarge
        case tooDeep

        var reason: String {
            switch self {
            case .notAnObject: "it is not an object"
            case .tooLarge: "it is too long"
            case .tooDeep: "it is nested too deeply"
            }
        }
    }

    private let limits: JSONLimits
    private var document: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    init(limits: JSONLimits) {
        self.limits = limits
    }

    var isWithinDocument: Bool { depth > 0 }

    /// Processes received bytes; returns the completed objects.
    mutating func take(_ bytes: some Collection<UInt8>) throws(Fault) -> [[UInt8]] {
        var documents: [[UInt8]] = []
        for byte in bytes {
            if depth == 0 {
                guard try begins(with: byte) else { continue }
            } else {
                try goOn(with: byte)
            }
            guard document.count < limits.maximumBytes else { throw .tooLarge }
            document.append(byte)
            if depth == 0 {
                documents.append(document)
                document = []
            }
        }
        return documents
    }

    private mutating func begins(with byte: UInt8) throws(Fault) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return false
        case UInt8(ascii: "{"):
            depth = 1
            return true
        default: throw .notAnObject
        }
    }

    private mutating func goOn(with byte: UInt8) throws(Fault) {
        if isEscaped {
            isEscaped = false
        } else if isInString {
            if byte == UInt8(ascii: "\\") { isEscaped = true }
            if byte == UInt8(ascii: "\"") { isInString = false }
        } else {
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < limits.maximumDepth else { throw .tooDeep }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
    }
}
