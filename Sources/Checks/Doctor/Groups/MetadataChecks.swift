import LNURL
import LightningCoding

extension CheckGroup {
    static let metadata = CheckGroup(
        "Metadata",
        [
            ServiceCheck(
                "metadata-text", "the metadata is a string", .must,
                Rule("LUD-06", "metadata must be presented as a raw string."), reads: [.info]
            ) { evidence throws(Skipped) in
                let value = try evidence.info.object()["metadata"]
                return value?.string == nil ? .breaks("it is \(value.shown)") : .follows()
            },
            ServiceCheck(
                "metadata-array", "the metadata is a JSON array of arrays that begin with a type", .must,
                Rule("LUD-06", "metadata is a JSON array of arrays, each with a MIME type first."), reads: [.info]
            ) { evidence throws(Skipped) in
                guard let values = try? JSONValue(parsing: try evidence.info.metadata()).array else {
                    _ = try evidence.info.metadata()
                    return .breaks("it is not a JSON array")
                }
                let wrong = values.firstIndex { $0.array?.first?.string == nil }
                return wrong.map { .breaks("entry \($0) does not begin with a type") }
                    ?? .follows("\(values.count) entries")
            },
            ServiceCheck(
                "metadata-plain-text", "the metadata has exactly one text/plain", .must,
                Rule("LUD-06", "There must be exactly one text/plain entry."),
                breaks: [BrokenClient("Phoenix crashes", "ACINQ/phoenix#211")], reads: [.info]
            ) { evidence throws(Skipped) in
                let found = try evidence.info.contents(of: "text/plain")
                guard found.count == 1 else { return .breaks("there are \(found.count)") }
                return found[0]?.string == nil ? .breaks("its content is not text") : .follows("one")
            },
            ServiceCheck(
                "metadata-compact", "the metadata has no spaces between its tokens", .should,
                Rule("practice", "Programs that write the JSON anew hash other bytes than those that were served."),
                breaks: [
                    BrokenClient("Core Lightning over Commando", "getAlby/lightning-browser-extension#1994")
                ], reads: [.info]
            ) { evidence throws(Skipped) in
                _ = try evidence.info.entries()
                return try evidence.info.metadata().hasSpaceOutsideStrings ? .breaks("there are some") : .follows()
            },
            ServiceCheck(
                "metadata-image", "there is at most one image, in base64, of at most 136536 characters", .must,
                Rule("LUD-06", "One image/png;base64 or image/jpeg;base64 at most, of at most 136536 characters."),
                reads: [.info]
            ) { evidence throws(Skipped) in
                let types = ["image/png;base64", "image/jpeg;base64"]
                let images = try evidence.info.entries().filter { types.contains($0.type) }
                guard images.count < 2 else { return .breaks("there are \(images.count)") }
                guard let image = images.first else { return .follows() }
                guard let text = image.content?.string else { return .breaks("its content is not text") }
                guard text.utf8.count <= 136_536 else { return .breaks("it has \(text.utf8.count) characters") }
                return (try? Base64.decode(text)) == nil ? .breaks("it is not base64") : .follows("one")
            },
            ServiceCheck(
                "metadata-long-description", "there is at most one text/long-desc, a text", .must,
                Rule("LUD-20", "[\"text/long-desc\", \"...\"] is a long description."), reads: [.info]
            ) { evidence throws(Skipped) in
                let found = try evidence.info.contents(of: "text/long-desc")
                guard let first = found.first else { throw Skipped("there is none") }
                guard found.count == 1 else { return .breaks("there are \(found.count)") }
                return first?.string == nil ? .breaks("it is not a text") : .follows("one")
            },
            ServiceCheck(
                "identifier", "text/identifier or text/email is the address that was asked", .must,
                Rule("LUD-16", "The metadata must have text/identifier or text/email with the address."),
                breaks: [BrokenClient("SBW", "btcpayserver/btcpayserver#4165")], reads: [.info]
            ) { evidence throws(Skipped) in
                let address = try evidence.service.requiredAddress()
                let found = try
                    (evidence.info.contents(of: "text/identifier") + evidence.info.contents(of: "text/email"))
                    .compactMap { $0?.string }
                guard !found.isEmpty else { return .breaks("there is none") }
                return found.contains { $0.isExactly(address.identifier) || $0.isExactly(address.text) }
                    ? .follows(address.identifier) : .breaks("it is \(found.joined(separator: ", "))")
            },
        ])
}

extension String {
    fileprivate var hasSpaceOutsideStrings: Bool {
        var isInString = false
        var isEscaped = false
        for byte in utf8 {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if " \t\r\n".utf8.contains(byte) {
                return true
            }
        }
        return false
    }
}
