import Bolt11
import LightningCoding
import LightningCrypto

extension WrongServer {
    static let invoices: [WrongServer] = [
        WrongServer(
            "invoice-json",
            .with {
                $0.after = { request, answer in if request.isCallback, !answer.isError { answer.raw = Array("ok".utf8) }
                }
            }),
        WrongServer("invoice-answered", .refusing { $0.isCallback }),
        WrongServer("invoice-present", .invoice { $0["pr"] = .null }),
        WrongServer("invoice-readable", .invoice { $0["pr"] = "lnbcrt1broken" }),
        WrongServer("invoice-amount", "more", .draft { $0.amount = $0.amount.map { $0 + 1000 } }),
        WrongServer("invoice-amount", "any", .draft { $0.amount = nil }),
        WrongServer("invoice-network", .with { $0.network = .bitcoin }),
        WrongServer("invoice-hash", .draft { $0.description = .text("Pay Alice") }),
        WrongServer(
            "invoice-hash-not-text", .draft { $0.description = .text(String(repeating: "0a", count: 32)) }),
        WrongServer("invoice-hash-matches", .draft { $0.description = .hash(SHA256.hash("else".utf8)) }),
        WrongServer(
            "comment-hash",
            .with {
                $0.draft = { request, draft in
                    guard !request.isZap, request["comment"]?.isEmpty == false else { return }
                    draft.description = .hash(SHA256.hash("the metadata and the comment".utf8))
                }
            }),
        WrongServer("invoice-fresh", .draft { $0.timestamp -= 3600 }),
        WrongServer("invoice-expiry", .draft { $0.expiry = 30 }),
        WrongServer("invoice-time", .draft { $0.timestamp += 3600 }),
        WrongServer("routes", .invoice { $0["routes"] = nil }),
        WrongServer("disposable", .invoice { $0["disposable"] = "no" }),
        WrongServer("disposable-address", "nothing said", .invoice { $0["disposable"] = nil }),
        WrongServer("disposable-address", "true", .invoice { $0["disposable"] = true }),
        WrongServer("invoice-known-members", .invoice { $0["qrcode"] = "x" }),
        WrongServer(
            "post", .with { $0.draft = { request, draft in if request.method == "POST" { draft.amount = 1000 } } }),
        WrongServer("success-action-null", .invoice { $0["successAction"] = .null }),
        WrongServer(
            "success-action-none",
            .invoice {
                $0["successAction"] = [
                    "tag": "aes", "description": "x", "ciphertext": "qEKI4TOS5+n33nsm28HHWA==",
                    "iv": "AAECAwQFBgcICQoLDA0ODw==",
                ]
            }),
        WrongServer("success-action-form", "unknown", .invoice { $0["successAction"] = ["tag": "dance"] }),
        WrongServer(
            "success-action-form", "too long",
            .invoice {
                $0["successAction"] = ["tag": "message", "message": .string(String(repeating: "x", count: 145))]
            }),
        WrongServer(
            "success-action-aes",
            .invoice {
                $0["successAction"] = [
                    "tag": "aes", "description": "x", "ciphertext": "qEKI4TOS5+n33nsm28HHWA==", "iv": "AAECAwQFBgc=",
                ]
            }),
        WrongServer(
            "success-action-host",
            .invoice {
                $0["successAction"] = ["tag": "url", "description": "x", "url": "https://elsewhere.example/"]
            }),
        WrongServer(
            "hash-again", .with { $0.laterDraft = { $0.description = .hash(SHA256.hash("else".utf8)) } }),
        WrongServer("invoice-unique", .draft { $0.paymentHash = [UInt8](repeating: 7, count: 32) }),
        WrongServer(
            "metadata-stable", .with { $0.laterMetadata = { $0 = $0.replacing("Pay", with: "Paid") } }),
        WrongServer(
            "limits-stable",
            .with {
                $0.later = { request, answer in
                    if request.isInfo, !answer.isError { answer.body["maxSendable"] = 50_000_000 }
                }
            }),
    ]

    static let settlements: [WrongServer] = [
        WrongServer("verify-offered", .invoice { $0["verify"] = nil }),
        WrongServer("verify-url", "nonsense", .invoice { $0["verify"] = "nonsense" }),
        WrongServer("verify-url", "plain http", .invoice { $0["verify"] = "http://pay.example/verify" }),
        WrongServer("verify-answered", .refusing { $0.isVerify }),
        WrongServer("verify-status", .verify { $0["status"] = nil }),
        WrongServer("verify-settled", .verify { $0["settled"] = "false" }),
        WrongServer(
            "verify-preimage", "early", .verify { $0["preimage"] = .string(String(repeating: "07", count: 32)) }),
        WrongServer("verify-preimage", "missing", .verify { $0["preimage"] = nil }),
        WrongServer("verify-preimage", "empty", .verify { $0["preimage"] = "" }),
        WrongServer(
            "verify-preimage", "early at the second time",
            .with {
                $0.later = { request, answer in
                    if request.isVerify, !answer.isError {
                        answer.body["preimage"] = .string(String(repeating: "07", count: 32))
                    }
                }
            }),
        WrongServer("verify-invoice", .verify { $0["pr"] = "lnbcrt1other" }),
        WrongServer("verify-upper-case", .refusing { $0.isVerify && $0.name.contains { $0.isUppercase } }),
        WrongServer("verify-unknown", .skipping(.hash)),
        WrongServer("verify-other-name", .skipping(.verifyName)),
        WrongServer("verify-malformed", .skipping(.hashLength)),
    ]
}
