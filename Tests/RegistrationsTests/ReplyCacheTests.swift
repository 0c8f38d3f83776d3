import LNURL
import LightningCoding
import LightningCrypto
import Platform
import Registrations
import Testing

@Suite("Answers that are given again", .timeLimit(.minutes(5)))
struct ReplyCacheTests {
    private let start = MonotonicTime(sinceStart: .zero)
    private let preimage: Preimage

    init() throws {
        preimage = try Preimage(Array(repeating: 7, count: 32))
    }

    private func info(_ metadata: String = "[]") throws -> DeviceAnswer {
        .info(
            try PayRequest(
                callback: HTTPURL("https://a.example/"), minSendable: Millisatoshi(1), maxSendable: Millisatoshi(1),
                metadata: metadata))
    }

    private func isKept(_ answer: DeviceAnswer, maxAge: UInt64?, after seconds: Int64) -> Bool {
        var cache = ReplyCache<Int>()
        cache.keep(answer, for: 1, maxAge: maxAge, at: start)
        return cache.answer(for: 1, at: start + .seconds(seconds)) != nil
    }

    @Test("Limits and metadata are kept as long as the device says, at most five minutes, and else not at all")
    func infos() throws {
        let info = try info()
        #expect(isKept(info, maxAge: 10, after: 9) && !isKept(info, maxAge: 10, after: 10))
        #expect(isKept(info, maxAge: 86_400, after: 299) && !isKept(info, maxAge: 86_400, after: 300))
        #expect(!isKept(info, maxAge: nil, after: 0) && !isKept(info, maxAge: 0, after: 0))
    }

    @Test(
        "Whether an invoice is paid is kept for three seconds, since the ledger has what is proved, and invoices never")
    func payments() throws {
        for response in [
            try VerifyResponse(json: ["settled": true, "pr": "lnbc1"]), VerifyResponse(preimage: nil, pr: "lnbc1"),
            VerifyResponse(preimage: preimage, pr: "lnbc1"),
        ] {
            #expect(isKept(.verify(response), maxAge: 60, after: 2) && !isKept(.verify(response), maxAge: 60, after: 3))
        }
        #expect(!isKept(.invoice(PayInvoice(pr: "lnbc1"), preimage.paymentHash), maxAge: 60, after: 0))
    }

    @Test("At most the given number of answers is kept, the newest ones")
    func number() throws {
        var limits = ReplyCache<Int>.Limits()
        limits.answers = 10
        var cache = ReplyCache<Int>(limits)
        for key in 1...1000 {
            cache.keep(try info(), for: key, maxAge: 60, at: start)
            #expect(cache.count <= 10)
        }
        for key in 996...1000 { #expect(cache.answer(for: key, at: start) != nil) }
    }

    @Test("An answer that replaces another one counts in its place, with its own length")
    func replaced() throws {
        var limits = ReplyCache<Int>.Limits()
        limits.bytes = 20_000
        var cache = ReplyCache<Int>(limits)
        func keep(_ key: Int, _ count: Int) throws {
            cache.keep(try info(String(repeating: "x", count: count)), for: key, maxAge: 60, at: start)
        }
        for key in 1...10 { try keep(key, 10) }
        for key in 1...10 { try keep(key, 4_000) }
        let long = (1...10).count { key in
            guard case .info(let request) = cache.answer(for: key, at: start) else { return false }
            return request.metadata.utf8.count == 4_000
        }
        #expect(long > 0 && long * 4_000 <= limits.bytes)
    }

    @Test("Long metadata displaces more answers, and what is longer than half of all is not kept")
    func bytes() throws {
        var limits = ReplyCache<Int>.Limits()
        limits.bytes = 10_000
        var cache = ReplyCache<Int>(limits)
        for key in 1...100 {
            cache.keep(try info(String(repeating: "x", count: 2_000)), for: key, maxAge: 60, at: start)
            #expect(cache.count <= 4)
        }
        cache.keep(try info(String(repeating: "x", count: 9_000)), for: 0, maxAge: 60, at: start)
        #expect(cache.answer(for: 0, at: start) == nil)
    }

    /// Limits and metadata that count for so many bytes.
    private func info(counting bytes: Int) throws -> DeviceAnswer {
        try info(String(repeating: "x", count: bytes - 512 - "https://a.example/".utf8.count))
    }

    @Test("Answers fill the given bytes to the last one, in halves", arguments: [(4_000, 4), (3_998, 2)])
    func lastByte(bytes: Int, count: Int) throws {
        var limits = ReplyCache<Int>.Limits()
        limits.bytes = bytes
        var cache = ReplyCache<Int>(limits)
        for key in 1...4 { cache.keep(try info(counting: 1_000), for: key, maxAge: 60, at: start) }
        #expect(cache.count == count)
    }

    @Test("By default 16 MiB are kept, and so 8 MiB of one answer")
    func standard() throws {
        #expect(isKept(try info(counting: 8 << 20), maxAge: 60, after: 0))
        #expect(!isKept(try info(counting: (8 << 20) + 1), maxAge: 60, after: 0))
    }
}
