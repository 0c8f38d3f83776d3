import Bolt11
import Foundation
import LNURL
import LightningCoding
import LightningCrypto
import TemporaryFolders
import Testing

@Suite("Offline commands", .timeLimit(.minutes(5)))
struct OfflineTests {
    private static let address = "alice@example.com"
    private static let encoded =
        "lnurl1dp68gurn8ghj7etcv9khqmr99e3k7mf09emk2mrv944kummhdchkcmn4wfk8qtmpd35kxeg9saevq"
    private static let url = "https://example.com/.well-known/lnurlp/alice"

    @Test(
        "Every form of a target is recognized",
        arguments: [
            (address, "address"), ("₿" + address, "address"), (encoded, "lnurl"), ("LIGHTNING:" + encoded, "lnurl"),
            ("https://shop.example/?a=1&lightning=" + encoded, "lnurl"),
            ("lnurlp://example.com/.well-known/lnurlp/alice", "lud17"), (url, "url"),
        ])
    func decode(text: String, kind: String) async throws {
        let run = try await ToolRun("decode", text, "--json")
        #expect(run.status == 0)
        #expect(try run.json["kind"] == .string(kind))
        #expect(try run.json["url"] == .string(Self.url))
        #expect(try run.json["lnurl"] == .string(Self.encoded))
        let piped = try await ToolRun("decode", "-", "--json", input: text + "\n")
        #expect(piped.output == run.output)
    }

    @Test(
        "Damaged, forbidden or empty input exits with 65",
        arguments: [
            "", "hello", encoded + "q", "lnurl1dp68gup69uhnzt339ccjuvf0wccj7mrww4exctmsv9usux0rql", "a@b@c",
            "http://example.com/", "ftp://example.com/", "lnbc1invoice",
        ])
    func undecodable(text: String) async throws {
        let run = try await ToolRun("decode", "--json", "--", text)
        #expect(run.status == 65)
        #expect(try run.json["ok"] == false)
    }

    @Test(
        "For a lone name or host, the missing part is named",
        arguments: [
            ("alice", "alice@domain"), ("alice+rent", "alice+rent@domain"), ("example.com", "name@example.com"),
            ("example.com/pay", "https://example.com/pay"),
        ])
    func suggestion(text: String, suggested: String) async throws {
        let run = try await ToolRun("info", text)
        #expect(run.status == 65)
        #expect(run.errors.contains(suggested))
        #expect(try await !ToolRun("info", "al ice").errors.contains("@"))
    }

    @Test("An invoice from before payment secrets is shown, and breaks a rule")
    func oldInvoice() async throws {
        // BOLT 11, "Examples", as they stood before payment secrets were compulsory.
        let text =
            "lnbc20m1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5"
            + "d7xmw5fk98klysy043l2ahrqsfpp3qjmp7lwpagxun9pygexvgpjdc4jdj85fr9yq20q82gphp2nflc7jtzrcazrra7wwgzxqc8u"
            + "7754cdlpfrmccae92qgzqvzq2ps8pqqqqqqpqqqqq9qqqvpeuqafqxu92d8lr6fvg0r5gv0heeeqgcrqlnm6jhphu9y00rrhy4gr"
            + "qszsvpcgpy9qqqqqqgqqqqq7qqzqj9n4evl6mr5aj9f58zp6fyjzup6ywn3x6sk8akg5v4tgn2q8g4fhx05wf6juaxu9760yp46454gpg5mtzgerlzezqcqvjnhjh8z3g2qqdhhwkj"
        let run = try await ToolRun("decode-invoice", text, "--json")
        #expect(run.status == 2)
        #expect(try run.json["amount"] == 2_000_000_000)
        #expect(
            try run.json["paymentHash"] == "0001020304050607080900010203040506070809000102030405060708090102")
        let page = try await ToolRun("decode-invoice", text)
        #expect(page.status == 2)
        #expect(page.output.contains("it has no payment secret"))
        #expect(try await ToolRun("decode-invoice", String(text.dropLast())).status == 65)
    }

    @Test("A bare amount ends with 64 wherever an amount is given, and the units are named")
    func bareAmount() async throws {
        let run = try await ToolRun("request", Self.address, "21")
        #expect(run.status == 64)
        #expect(run.errors.contains("21sat"))
        for amount in ["", "1.5msat", "21millions"] {
            #expect(try await ToolRun("request", Self.address, amount).status == 64, "\(amount)")
        }
    }

    @Test("Input that is not UTF-8 exits with 65, a missing file with 66")
    func notText() async throws {
        for arguments in [
            ["decode", "-"], ["info", "-"], ["verify", "-"], ["success", "-"], ["decode-invoice", "-"],
        ] {
            let run = try await ToolRun(arguments + ["--json"], inputBytes: [0x6C, 0xFF, 0xFE, 0x0A])
            #expect(run.status == 65, "\(arguments)")
        }
        let folder = TemporaryFolder()
        let action = try folder.file("action", #"{"tag":"message","message":"hi"}"#)
        #expect(try await ToolRun("success", action, "--preimage-file", folder.path + "/none").status == 66)
        let tooLong = [UInt8](repeating: UInt8(ascii: "a"), count: 4 << 20 + 1)
        #expect(try await ToolRun(["decode", "-"], inputBytes: tooLong).status == 65)
    }

    @Test("A forbidden URL inside bech32 is shown")
    func hidden() async throws {
        let run = try await ToolRun("decode", "lnurl1dp68gup69uhnzt339ccjuvf0wccj7mrww4exctmsv9usux0rql")
        #expect(run.errors.contains("http://1.1.1.1/v1/lnurl/pay"))
    }

    @Test("Encoding gives bech32 in either case, or LUD-17")
    func encode() async throws {
        #expect(try await ToolRun("encode", Self.address).output == Self.encoded + "\n")
        #expect(try await ToolRun("encode", Self.url, "--upper").output == Self.encoded.uppercased() + "\n")
        let lud17 = try await ToolRun("encode", Self.encoded, "--lud17")
        #expect(lud17.output == "lnurlp://example.com/.well-known/lnurlp/alice\n")
        #expect(try await ToolRun("encode", Self.url, "--upper", "--lud17").status == 64)
    }

    @Test("QR codes are printed to the terminal, as PNG and as SVG")
    func codes() async throws {
        let terminal = try await ToolRun("encode", Self.address, "--qr", "ansi")
        #expect(terminal.output.hasPrefix(Self.encoded.uppercased() + "\n"))
        #expect(terminal.output.contains("█▀▀") && !terminal.output.contains("\u{1B}"))
        #expect(try await ToolRun("encode", Self.address, "--qr", "svg").output.contains("<svg "))
        let folder = TemporaryFolder()
        let file = try folder.file("code.png")
        #expect(try await ToolRun("encode", Self.address, "--qr", "png", "--output", file).status == 0)
        let bytes = try Data(contentsOf: URL(filePath: file))
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let json = try await ToolRun("encode", Self.address, "--qr", "png", "--json")
        let base64 = try #require(try json.json["qr"]?["base64"]?.string)
        #expect(try Base64.decode(base64) == Array(bytes))
        #expect(
            try await ToolRun("encode", "https://example.com/" + String(repeating: "a", count: 4000), "--qr", "svg")
                .status == 65)
    }

    @Test("An invoice is shown in full, and a damaged one is refused")
    func decodeInvoice() async throws {
        let pr = try Script.Draft(amount: Millisatoshi(1500), description: .text("1 coffee")).text
        let run = try await ToolRun("decode-invoice", "lightning:" + pr.uppercased(), "--json")
        #expect(run.status == 0)
        #expect(
            try run.json.object?.members.map(\.key) == [
                "ok", "invoice", "network", "amount", "paymentHash", "paymentSecret", "payee", "payeeStated",
                "description", "descriptionHash", "timestamp", "expiry", "expiresAt", "expired",
                "minFinalCLTVExpiryDelta", "features", "fallbackAddresses", "routeHints", "paymentMetadata",
                "signature",
            ])
        #expect(try run.json["amount"] == 1500)
        #expect(try run.json["description"] == "1 coffee")
        #expect(try run.json["expired"] == false)
        let text = try await ToolRun("decode", pr)
        #expect(text.output.contains("1500 msat") && text.output.contains("✓ signature"))
        #expect(try await ToolRun("decode-invoice", String(pr.dropLast()) + "b").status == 65)
        #expect(try await ToolRun("decode-invoice", Self.address).status == 65)
    }

    @Test("An encrypted action is decrypted with the preimage from a file or standard input")
    func success() async throws {
        let folder = TemporaryFolder()
        let preimage = try Script.preimage.get()
        let action = try EncryptedAction.seal(
            "code ⚡ 1234", description: ActionText("Your code"), preimage: preimage,
            initializationVector: [UInt8](repeating: 3, count: 16))
        let answer: JSONValue = [
            "pr": .string(try Script.Draft(description: .text("")).text),
            "successAction": SuccessAction.aes(action).json,
        ]
        let file = try folder.file("answer.json", answer.serialized())
        let opened = try await ToolRun("success", file, "--preimage-file", "-", input: preimage.hexadecimal + "\n")
        #expect(opened.status == 0)
        #expect(opened.output.contains("Your code") && opened.output.contains("code ⚡ 1234"))
        let keyFile = try folder.file("preimage", preimage.hexadecimal)
        let piped = try await ToolRun(
            "success", "-", "--preimage-file", keyFile, "--json", input: SuccessAction.aes(action).json.serialized())
        #expect(try piped.json["text"] == "code ⚡ 1234")

        let zeros = String(repeating: "0", count: 64)
        let other = try await ToolRun("success", file, "--preimage-file", "-", "--json", input: zeros)
        #expect(other.status == 65)
        #expect(try other.json["fault"]?["name"] == "other-preimage")
        #expect(try await ToolRun("success", file).status == 65)
        #expect(try await ToolRun("success", file, "--preimage-file", "-", input: "12").status == 65)
        #expect(try await ToolRun("success", "-", "--preimage-file", "-").status == 64)
        #expect(try await ToolRun("success", "/none").status == 66)
    }

    @Test("Messages and links are shown, a link only to the callback's host")
    func plainActions() async throws {
        let message = try await ToolRun("success", "-", input: #"{"tag":"message","message":"Thank you"}"#)
        #expect(message.output == "Thank you\n")
        let link = #"{"tag":"url","description":"Ticket","url":"https://example.com/t"}"#
        let here = try await ToolRun(
            "success", "-", input: #"{"pr":"x","callback":"https://example.com/c","successAction":\#(link)}"#)
        #expect(here.status == 0)
        let elsewhere = try await ToolRun(
            "success", "-", input: #"{"pr":"x","callback":"https://other.com/c","successAction":\#(link)}"#)
        #expect(elsewhere.status == 2)
        #expect(try await ToolRun("success", "-", input: #"{"pr":"x"}"#).status == 65)
    }

    @Test("The vectors of this repository pass, and a folder without any is a failure")
    func vectors() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let run = try await ToolRun("vectors", "run", "--vectors", root.appending(path: "Vectors").path(), "--json")
        #expect(run.status == 0)
        #expect(try run.json["failed"] == 0)
        let empty = TemporaryFolder()
        #expect(try await ToolRun("vectors", "run", "--vectors", empty.path).status == 2)
        #expect(try await ToolRun("vectors", "run", "--vectors", "/none").status == 66)
    }

    @Test(
        "A result that cannot be printed is status 74, help and version included",
        arguments: [
            ["decode", "alice@example.com"], ["decode", "alice@example.com", "--json"], ["--help"], ["--version"],
            ["encode", "alice@example.com", "--qr", "svg"],
        ])
    func fullDisk(arguments: [String]) async throws {
        let run = try await ToolRun(arguments, output: "/dev/full")
        #expect(run.status == 74)
        #expect(run.errors.contains("Standard output cannot be written."))
    }

    @Test(
        "A failure keeps its status, and is told on standard error where its JSON is not written",
        arguments: [(["decode", "x", "--json"], 65), (["nonsense", "--json"], 64)] as [([String], Int32)])
    func fullDiskFailures(arguments: [String], status: Int32) async throws {
        let run = try await ToolRun(arguments, output: "/dev/full")
        #expect(run.status == status)
        #expect(!run.errors.isEmpty)
    }

    @Test("--json escapes what steers a terminal, and changes no value")
    func hiddenCharacters() async throws {
        let text = "a\u{9B}b\u{85}c\u{2028}d\u{202E}e\u{E0001}f"
        let answer: JSONValue = ["pr": "x", "successAction": ["tag": "message", "message": .string(text)]]
        let run = try await ToolRun(["success", "-", "--json"], input: answer.serialized())
        #expect(run.output.unicodeScalars.allSatisfy { $0.isASCII })
        #expect(run.output.contains(#"a\u009bb\u0085c\u2028d\u202ee\udb40\udc01f"#))
    }

    @Test("An offer becomes a QR code in capital letters")
    func offer() async throws {
        let offer =
            "lno1pqps7sjqpgtyzm3qv4uxzmtsd3jjqer9wd3hy6tsw35k7msjzfpy7nz5yqcnygrfdej82um5wf5k2uckyypwa3eyt44h6txtxquqh7lz5djge4afgfjn7k4rgrkuag0jsd5xvxg"
        let run = try await ToolRun("encode", offer, "--qr", "svg", "--json")
        #expect(run.status == 0)
        #expect(try run.json["text"]?.string == offer.uppercased())
        #expect(try run.json["qr"]?["text"]?.string?.contains("<svg") == true)
        #expect(try await ToolRun("encode", offer).output == offer + "\n")
        #expect(try await ToolRun("encode", offer, "--lud17").status == 65)
        #expect(try await ToolRun("encode", String(offer.dropLast(3))).status == 65)
    }

    @Test("A wrong command line exits with 64, and the help names every status")
    func usage() async throws {
        for arguments in [
            ["nonsense"], ["info"], ["info", "a@b.c", "--timeout", "0"], ["info", "a@b.c", "--nonsense"],
        ] {
            #expect(try await ToolRun(arguments).status == 64)
            let run = try await ToolRun(arguments + ["--json"])
            #expect(run.status == 64)
            #expect(try run.json["fault"]?["name"] == "command-line")
            #expect(run.errors.isEmpty)
        }
        #expect(try await ToolRun("info", "a@b.c", "--tor", "--proxy", "http://a:1").status == 64)
        #expect(try await ToolRun("info", "a@b.c", "--proxy", "socks5://a:1").status == 64)
        #expect(try await ToolRun("info", "a@127.0.0.1:1", "--ca-file", "/none").status == 66)
        let (service, folder) = (try FakePayService(), TemporaryFolder())
        let noCertificate = try folder.file("ca.pem", "no certificate")
        let url = "https://\(service.authority)/x"
        #expect(try await ToolRun("info", url, "--ca-file", noCertificate).status == 66)
        let help = try await ToolRun("--help")
        #expect(help.status == 0)
        for status in [
            "  0  ", "  1  ", "  2  ", "  3  ", "  4  ", "  5  ", " 64  ", " 65  ", " 66  ", " 73  ", " 74  ",
        ] {
            #expect(help.output.contains(status))
        }
    }
}
