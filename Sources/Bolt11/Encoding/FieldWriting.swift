import LightningCrypto

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
