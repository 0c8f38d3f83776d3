import Bolt12
import LightningCoding

extension ChainHash {
    /// The network's name, or the hash of an unknown chain.
    var name: String { network?.rawValue ?? description }
}

extension FeatureBits {
    var json: JSONValue { .array(bits.map { .integer($0) }) }

    /// `bit 1, bit 16 (required)`
    var names: String {
        bits.map { "bit \($0)" + ($0.isMultiple(of: 2) ? " (required)" : "") }.joined(separator: ", ")
    }
}

extension TLVStream {
    /// The records of unknown types.
    private var unknown: [TLVRecord] { records.filter { RecordName.name(ofType: $0.type) == nil } }

    /// The unknown records, for programs: types, and values in hexadecimal.
    var unknownJSON: JSONValue {
        .array(unknown.map { ["type": .unsigned($0.type), "value": .hexadecimal(Array($0.value))] })
    }

    /// The same for people.
    func addUnknown(to page: inout Page) {
        for record in unknown { page.add("record \(record.type)", "unknown: \(Hexadecimal.encode(record.value))") }
    }
}
