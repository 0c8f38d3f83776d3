import LightningCoding
import OnionMessages
import Testing

@Suite("Messages between nodes", .timeLimit(.minutes(5)))
struct PeerMessageTests {
    private func read(_ hexadecimal: String) throws -> PeerMessage {
        try PeerMessage(Hexadecimal.decode(hexadecimal))
    }

    @Test(
        "What is written is read again",
        arguments: [
            PeerMessage.initialize(InitialMessage(features: .ofMessenger, chains: [Network.regtest.chainHash])),
            .initialize(InitialMessage(features: PeerFeatures(offering: []), chains: nil)),
            .initialize(InitialMessage(features: .ofMessenger, chains: [])),
            .error(PeerNotice("gone")), .warning(PeerNotice("")), .ping(pongCount: 5, padding: 0),
            .ping(pongCount: 65_535, padding: 65_529), .pong(count: 0), .pong(count: 65_531), .onionMessage([]),
            .onionMessage([1, 2, 3]),
        ])
    func roundTrip(message: PeerMessage) throws {
        #expect(try PeerMessage(message.bytes) == message)
    }

    @Test("The bytes of a messenger's init, ping and pong")
    func bytes() {
        let initial = PeerMessage.initialize(
            InitialMessage(features: .ofMessenger, chains: [Network.regtest.chainHash]))
        #expect(
            Hexadecimal.encode(initial.bytes)
                == "0010" + "0000" + "0005800000a202" + "0120" + Hexadecimal.encode(Network.regtest.chainHash))
        #expect(Hexadecimal.encode(PeerMessage.ping(pongCount: 5, padding: 2).bytes) == "0012000500020000")
        #expect(Hexadecimal.encode(PeerMessage.pong(count: 5).bytes) == "001300050000000000")
    }

    @Test("Both bitmaps of init count, and its odd records are passed over")
    func initial() throws {
        guard case .initialize(let message) = try read("0010" + "000102" + "00028000" + "0302aabb") else {
            Issue.record("no init")
            return
        }
        #expect(message.features.bits == [1, 15])
        #expect(message.features.has(.dataLossProtect) && message.features.has(.paymentSecret))
        #expect(!message.features.has(.onionMessages))
        #expect(message.chains == nil)
        #expect(message.shares(.signet))
    }

    @Test("A node that names its chains shares those only")
    func chains() {
        let message = InitialMessage(
            features: .ofMessenger, chains: [Network.bitcoin.chainHash, Network.signet.chainHash])
        #expect(message.shares(.bitcoin) && message.shares(.signet))
        #expect(!message.shares(.regtest))
    }

    @Test(
        "What a node cannot do without is found, unless it is known here",
        arguments: [
            ("01", nil), ("4000", nil), ("04", 2), ("010000000000", 40), ("0100000000000004", 2), ("08", nil),
        ] as [(String, Int?)])
    func unknownDemand(bitmap: String, bit: Int?) throws {
        #expect(PeerFeatures(bitmaps: [try Hexadecimal.decode(bitmap)]).unknownDemand == bit)
    }

    @Test("What BOLT 9 assigns is known, and nothing else")
    func assignedBits() {
        let assigned = [
            0, 4, 6, 8, 10, 12, 14, 16, 18, 22, 24, 26, 28, 34, 36, 38, 42, 44, 46, 48, 50, 60, 62,
        ]
        for bit in stride(from: 0, to: 64, by: 2) {
            var bitmap = [UInt8](repeating: 0, count: 8)
            bitmap[7 - bit / 8] = 1 << (bit % 8)
            #expect(PeerFeatures(bitmaps: [bitmap]).unknownDemand == (assigned.contains(bit) ? nil : bit))
        }
    }

    @Test("The longest bitmap is read")
    func longestBitmap() throws {
        let bitmap = [0x40] + [UInt8](repeating: 0, count: 65_000)
        let bytes = [0, 16, 0, 0, UInt8(bitmap.count >> 8), UInt8(bitmap.count & 255)] + bitmap
        guard case .initialize(let message) = try PeerMessage(bytes) else {
            Issue.record("no init")
            return
        }
        #expect(message.features.unknownDemand == 65_000 * 8 + 6)
        #expect(message.features.bits.isEmpty && message.features.hasMore)
    }

    @Test("Of the longest bitmap a few bytes are kept, with all that has a meaning", arguments: [63, 64, 65, 65_000])
    func boundedBitmap(count: Int) {
        let features = PeerFeatures(bitmaps: [[UInt8](repeating: 0xaa, count: count)])
        #expect(features.bitmap == [UInt8](repeating: 0xaa, count: min(count, 64)))
        #expect(features.bits == Array(stride(from: 1, to: min(count * 8, PeerFeatures.keptBits), by: 2)))
        #expect(features.hasMore == (count > 64))
        #expect(features.unknownDemand == nil)
        #expect(PeerFeatures.Feature.allCases.allSatisfy(features.has))
    }

    @Test("Zeros before the first bit change nothing, and two bitmaps are one")
    func combinedBitmaps() {
        let zeros = [UInt8](repeating: 0, count: 1_000)
        let combined = PeerFeatures(bitmaps: [zeros + [0x80, 0], zeros + zeros + [0x02]])
        #expect(combined == PeerFeatures(bitmaps: [[0x80, 0x02]]))
        #expect(combined.bits == [1, 15] && !combined.hasMore)
        #expect(PeerFeatures(bitmaps: [zeros]) == PeerFeatures(offering: []))
    }

    @Test("Bytes behind the known fields are ignored, except that a pong says how many are its own")
    func trailing() throws {
        #expect(try read("00120005000100aabb") == .ping(pongCount: 5, padding: 1))
        #expect(try read("0013000100aa") == .pong(count: 1))
    }

    @Test("What an error says is shown as harmless text, cut off")
    func notice() throws {
        let zero = String(repeating: "00", count: 32)
        let text = Hexadecimal.encode(Array("bad\u{1b}[31m é".utf8))
        guard case .error(let error) = try read("0011" + zero + "000b" + text) else {
            Issue.record("no error")
            return
        }
        #expect(error.text == "bad?[31m ??")
        #expect(error.channel == nil)
        let channel = String(repeating: "07", count: 32)
        let long = String(repeating: "41", count: 65_499)
        guard case .warning(let warning) = try read("0001" + channel + "ffdb" + long) else {
            Issue.record("no warning")
            return
        }
        #expect(warning.text == String(repeating: "A", count: 200))
        #expect(warning.channel == [UInt8](repeating: 7, count: 32))
    }

    @Test(
        "Messages about channels and the network are dropped, odd strangers too",
        arguments: [
            (2, .channel), (32, .channel), (39, .channel), (64, .channel), (74, .channel), (80, .channel),
            (128, .channel),
            (136, .channel), (256, .gossip), (257, .gossip), (258, .gossip), (262, .gossip), (264, .gossip),
            (265, .gossip), (7, .unknownOdd), (9, .unknownOdd), (65_535, .unknownOdd), (511, .unknownOdd),
        ] as [(UInt16, PeerMessageType.Disposal)])
    func dropped(number: UInt16, disposal: PeerMessageType.Disposal) throws {
        let bytes = [UInt8(number >> 8), UInt8(number & 255), 1, 2, 3]
        #expect(try PeerMessage(bytes) == .dropped(PeerMessageType(number)))
        #expect(PeerMessageType(number).disposal == disposal)
    }

    @Test("An even stranger is a fault", arguments: [0, 4, 20, 42, 76, 138, 254, 260, 266, 512, 514, 32_768, 65_534])
    func unknownEven(number: UInt16) {
        let type = PeerMessageType(number)
        #expect(throws: PeerMessageFault.unknownEven(type)) {
            try PeerMessage([UInt8(number >> 8), UInt8(number & 255)])
        }
    }

    @Test(
        "A message that ends too early is a fault",
        arguments: [
            ("", .noType), ("00", .noType), ("0010", .truncated(PeerMessageType(16))),
            ("00100001", .truncated(PeerMessageType(16))), ("0010000000", .truncated(PeerMessageType(16))),
            ("001000000002aa", .truncated(PeerMessageType(16))), ("0012", .truncated(PeerMessageType(18))),
            ("00120000", .truncated(PeerMessageType(18))), ("001200000001", .truncated(PeerMessageType(18))),
            ("0013", .truncated(PeerMessageType(19))), ("0013000101", nil),
            ("00130002aa", .truncated(PeerMessageType(19))),
            ("0011", .truncated(PeerMessageType(17))), ("0001aabb", .truncated(PeerMessageType(1))),
        ] as [(String, PeerMessageFault?)])
    func truncated(hexadecimal: String, fault: PeerMessageFault?) throws {
        do {
            _ = try read(hexadecimal)
            #expect(fault == nil)
        } catch let found as PeerMessageFault {
            #expect(found == fault)
        }
    }

    @Test(
        "The extension of init must be a stream without unknown even records, and its chains whole",
        arguments: [
            ("0301", PeerMessageFault.initialExtension), ("0300" + "0100", .initialExtension),
            ("0200", .unknownInitialRecord(2)), ("0100" + "0400", .unknownInitialRecord(4)),
            ("0103aabbcc", .initialExtension),
        ])
    func initialExtension(hexadecimal: String, fault: PeerMessageFault) {
        #expect(throws: fault) { try read("001000000000" + hexadecimal) }
    }
}
