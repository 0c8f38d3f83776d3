import LightningCoding
import Testing

@testable import LND

@Suite("What is read of LND's answers", .timeLimit(.minutes(5)))
struct MemberFilterTests {
    private func kept(_ text: String, limit: Int = 1000, pieces: Int = .max) -> String? {
        var filter = MemberFilter(limit: limit)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            filter.append(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
        }
        return filter.isTooLong ? nil : String(decoding: filter.kept, as: UTF8.self)
    }

    @Test(
        "Only the members that are needed are kept, however the bytes are split",
        arguments: [
            (#"{"result":{"memo":"a","state":"OPEN"}}"#, #"{"result":{"state":"OPEN"}}"#),
            (
                #"{ "result" : { "r_hash" : "AA==" , "htlcs":[{"state":"SETTLED"},{}], "settle_index": 7 } }"#,
                #"{"result":{"r_hash":"AA==","settle_index":7}}"#
            ),
            (#"{"memo":"\"},\\","state":"a\"b","x":[[],{"y":"]"}]}"#, #"{"state":"a\"b"}"#),
            (#"{"st\u0061te":1,"is_amp":true,"amp_invoice_state":null}"#, #"{"is_amp":true,"amp_invoice_state":null}"#),
            (
                #"{"amp_invoice_state":{"00":{"settle_index":"3","x":[1]}},"features":{"9":{}}}"#,
                #"{"amp_invoice_state":{"00":{"settle_index":"3","x":[1]}}}"#
            ),
            (
                #"{"invoices":[{"state":"OPEN","memo":"x"},{}],"last_index_offset":"2"}"#,
                #"{"invoices":[{"state":"OPEN"},{}],"last_index_offset":"2"}"#
            ),
            (#"{"error":{"code":5,"message":"m","details":[]}}"#, #"{"error":{"code":5,"message":"m"}}"#),
        ])
    func kept(text: String, expected: String) {
        for pieces in [1, 2, 3, 7, 1000] { #expect(kept(text, pieces: pieces) == expected) }
    }

    @Test(
        "What is no JSON does not become any", arguments: ["<html>", "{", #"{"state":"OPEN""#, "{}{}", "]", "OK", ""])
    func invalid(text: String) {
        let kept = kept(text) ?? ""
        #expect(throws: JSONFault.self) { try JSONValue(parsing: Array(kept.utf8)) }
    }

    @Test("What is skipped may have any length and depth; what is kept, and what is between, is bounded")
    func limit() {
        let long = String(repeating: #"[{"state":"x"},"#, count: 1000)
        #expect(
            kept(#"{"htlcs":"# + long + String(repeating: "]", count: 1000) + #","state":"OPEN"}"#, limit: 40)
                == #"{"state":"OPEN"}"#)
        #expect(kept(#"{"state":"123456"}"#, limit: 18) == #"{"state":"123456"}"#)
        #expect(kept(#"{"state":"1234567"}"#, limit: 18) == nil)
        #expect(kept(String(repeating: " ", count: 19), limit: 18) == nil)
        #expect(kept("{\"\(String(repeating: "k", count: 40))\":1}", limit: 18) == nil)
    }

    private func lines(_ pieces: [String], limit: Int = 1000) -> [String?] {
        var splitter = FilteredLines(limit: limit)
        var lines: [String?] = []
        for piece in pieces {
            splitter.append(Array(piece.utf8))
            while let line = splitter.next() {
                lines.append(line.isTooLong ? nil : String(decoding: line.kept, as: UTF8.self))
            }
        }
        return lines
    }

    @Test("However the bytes are split, the lines are the same; empty ones are skipped, and ones that are too long end")
    func cuts() {
        let text = "{\"state\":1}\n\n[2]\n{\"state\":\"12345678901234567890\"}\n{\"state\":3}\n[4"
        let expected = [#"{"state":1}"#, "[2]", nil, #"{"state":3}"#]
        #expect(lines([text], limit: 20) == expected)
        #expect(lines(text.map { String($0) }, limit: 20) == expected)
        for cut in 0...text.utf8.count {
            #expect(lines([String(text.prefix(cut)), String(text.dropFirst(cut))], limit: 20) == expected)
        }
    }
}
