import LightningCoding
import LightningCrypto

extension FuzzTarget {
    static let codings = [
        FuzzTarget(text: "bech32") { text in
            try requireRoundTrip(
                text, { try Bech32.decode($0, checksum: .bech32) }, { Bech32.encode($0, checksum: .bech32) })
            try requireRoundTrip(
                text, { try Bech32.decode($0, checksum: .none) }, { Bech32.encode($0, checksum: .none) })
        },
        FuzzTarget(text: "text-encodings") { text in
            for (decode, encode) in textEncodings {
                try requireRoundTrip(text, decode, encode)
            }
        },
        FuzzTarget(text: "addresses") { text in
            try requireRoundTrip(text, { try HTTPURL($0) }, \.text)
            if let address = IPAddress(text) {
                try require(IPAddress(address.description) == address, "an address is written as read")
            }
            _ = try? ListenAddress(text)
            _ = try? Millisatoshi(text: text)
            _ = try? ShortChannelID(text: text)
        },
        FuzzTarget("json") { bytes in
            guard let value = try? JSONValue(parsing: bytes) else { return }
            let written = value.serializedBytes()
            try require((try? JSONValue(parsing: written)) == value, "JSON is read as it was written")
        },
        FuzzTarget("tlv") { bytes in
            try requireSameBytes(bytes, { try TLVStream(parsing: $0) }, { try TLVStream($0.records).bytes })
        },
        FuzzTarget("signatures") { bytes in
            if let signature = try? ECDSASignature(der: bytes) {
                try require(signature.der == bytes, "DER is written as read")
            }
            _ = try? P256PublicKey(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            _ = try? LightningMessage.recover(text, message: "message")
        },
    ]

    private static let textEncodings:
        [(decode: @Sendable (String) throws -> [UInt8], encode: @Sendable ([UInt8]) -> String)] = [
            ({ try Hexadecimal.decode($0) }, { Hexadecimal.encode($0) }),
            ({ try Base64.decode($0) }, { Base64.encode($0) }),
            ({ try Base64URL.decode($0) }, { Base64URL.encode($0) }),
            ({ try ZBase32.decode($0) }, { ZBase32.encode($0) }),
            (
                { Array(try PercentEncoding.decode($0, plusIsSpace: true).utf8) },
                { PercentEncoding.encode(String(decoding: $0, as: UTF8.self)) }
            ),
        ]
}
