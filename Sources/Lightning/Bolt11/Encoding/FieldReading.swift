import LightningCoding
import LightningCrypto

extension Bolt11Field {
    /// Parses all fields up to the end of `groups`.
    static func read(all groups: ArraySlice<UInt8>) throws(Bolt11Fault) -> [Bolt11Field] {
        var reader = GroupReader(groups)
        var fields: [Bolt11Field] = []
        while !reader.isAtEnd {
            guard let type = reader.readNumber(1), let length = reader.readNumber(2),
                let body = reader.read(Int(length))
            else { throw .fieldTruncated }
            fields.append(try Bolt11Field(type: UInt8(truncatingIfNeeded: type), groups: body))
        }
        return fields
    }

    private init(type: UInt8, groups: ArraySlice<UInt8>) throws(Bolt11Fault) {
        guard let tag = Tag(rawValue: type),
            tag.fixedLength == nil || tag.fixedLength == groups.count,
            let field = try Bolt11Field(tag: tag, groups: groups)
        else {
            self = .skipped(type: type, groups: Array(groups))
            return
        }
        self = field
    }

    /// Nil for a field that readers skip.
    private init?(tag: Tag, groups: ArraySlice<UInt8>) throws(Bolt11Fault) {
        switch tag {
        case .paymentHash:
            let bytes = try tag.bytes(of: groups)
            guard let hash = try? PaymentHash(bytes) else { return nil }
            self = .paymentHash(hash)
        case .paymentSecret:
            let bytes = try tag.bytes(of: groups)
            guard let secret = try? PaymentSecret(bytes) else { return nil }
            self = .paymentSecret(secret)
        case .description: self = .description(try tag.text(of: groups))
        case .descriptionHash: self = .descriptionHash(try tag.bytes(of: groups))
        case .paymentMetadata: self = .paymentMetadata(try tag.bytes(of: groups))
        case .payee: self = .payee(try tag.point(of: groups))
        case .expiry: self = .expiry(try tag.number(of: groups))
        case .minFinalCLTVExpiryDelta: self = .minFinalCLTVExpiryDelta(try tag.number(of: groups))
        case .fallbackAddress:
            guard let version = groups.first else { throw .invalidFallbackAddress }
            guard let kind = FallbackAddress.Kind(version: version) else { return nil }
            self = .fallbackAddress(try FallbackAddress(kind, try tag.bytes(of: groups.dropFirst())))
        case .routeHint: self = .routeHint(try RouteHint(bytes: try tag.bytes(of: groups)))
        case .features: self = .features(try Bolt11Features(groups: Array(groups)))
        }
    }
}

extension Bolt11Field.Tag {
    /// The required number of groups; readers skip the field otherwise. (The text of the specification says to fail the
    /// payment instead, but its example "including fields which must be ignored" has such fields and is valid.)
    fileprivate var fixedLength: Int? {
        switch self {
        case .paymentHash, .paymentSecret, .descriptionHash: 52
        case .payee: 53
        default: nil
        }
    }

    fileprivate func bytes(of groups: ArraySlice<UInt8>) throws(Bolt11Fault) -> [UInt8] {
        try rethrowing(Bech32.bytes(fromGroups: groups), as: Bolt11Fault.fieldPadding(self))
    }

    fileprivate func text(of groups: ArraySlice<UInt8>) throws(Bolt11Fault) -> String {
        guard let text = String(validating: try bytes(of: groups), as: UTF8.self) else { throw .descriptionNotUTF8 }
        return text
    }

    fileprivate func point(of groups: ArraySlice<UInt8>) throws(Bolt11Fault) -> PublicKey {
        let bytes = try bytes(of: groups)
        guard let point = try? PublicKey(bytes) else { throw .invalidPayee }
        return point
    }

    fileprivate func number(of groups: ArraySlice<UInt8>) throws(Bolt11Fault) -> UInt64 {
        guard groups.first != 0 else { throw .fieldNotMinimal(self) }
        var value: UInt64 = 0
        for group in groups {
            guard value.leadingZeroBitCount >= 5 else { throw .fieldOutOfRange(self) }
            value = value << 5 | UInt64(group)
        }
        return value
    }
}

extension Bolt11Field {
    /// Appends type, length and data. Throws `fieldTooLong`.
    func write(to writer: inout GroupWriter) throws(Bolt11Fault) {
        switch self {
        case .paymentHash(let hash): try writer.writeField(.paymentHash) { $0.write(bytes: hash.bytes) }
        case .paymentSecret(let secret): try writer.writeField(.paymentSecret) { $0.write(bytes: secret.bytes) }
        case .description(let text): try writer.writeField(.description) { $0.write(bytes: text.utf8) }
        case .descriptionHash(let hash): try writer.writeField(.descriptionHash) { $0.write(bytes: hash) }
        case .paymentMetadata(let bytes): try writer.writeField(.paymentMetadata) { $0.write(bytes: bytes) }
        case .payee(let key): try writer.writeField(.payee) { $0.write(bytes: key.bytes) }
        case .expiry(let seconds): try writer.writeField(.expiry) { $0.writeMinimal(seconds) }
        case .minFinalCLTVExpiryDelta(let blocks):
            try writer.writeField(.minFinalCLTVExpiryDelta) { $0.writeMinimal(blocks) }
        case .fallbackAddress(let address):
            try writer.writeField(.fallbackAddress) {
                $0.write(groups: CollectionOfOne(address.kind.version))
                $0.write(bytes: address.bytes)
            }
        case .routeHint(let hint): try writer.writeField(.routeHint) { $0.write(bytes: hint.bytes) }
        case .features(let features): try writer.writeField(.features) { $0.write(groups: features.groups) }
        case .skipped(let type, let groups): _ = writer.writeField(type) { $0.write(groups: groups) }
        }
    }
}

extension GroupWriter {
    fileprivate mutating func writeField(
        _ tag: Bolt11Field.Tag, _ data: (inout GroupWriter) -> Void
    ) throws(Bolt11Fault) {
        guard writeField(tag.rawValue, data) else { throw .fieldTooLong(tag) }
    }
}
