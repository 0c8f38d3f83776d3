import LightningCoding

extension WrongServer {
    static let http: [WrongServer] = [
        WrongServer("domain-without-lnurl", .with { $0.domain = "lnurl-pay.example" }),
        WrongServer(
            "host-trusted",
            .with {
                $0.after = { request, answer in
                    if request.host == "other.example" { answer.body["callback"] = "https://other.example/callback" }
                }
            }),
        WrongServer(
            "host-trusted", "in the metadata",
            .with {
                $0.after = { request, answer in
                    if request.host == "other.example" {
                        answer.body["metadata"] = answer.body["metadata"]?.string.map {
                            .string($0.replacing("127.0.0.1", with: "other.example"))
                        }
                    }
                }
            }),
        WrongServer(
            "no-redirect", "first step",
            .with {
                $0.after = { request, answer in
                    if request.isInfo, request.name.lowercased().hasSuffix("alice") || request.name.hasPrefix("alice") {
                        answer.redirect()
                    }
                }
            }),
        WrongServer(
            "no-redirect", "callback",
            .with { $0.after = { request, answer in if request.isCallback { answer.redirect() } } }),
        WrongServer(
            "no-redirect", "unknown name",
            .with { $0.after = { request, answer in if request.isInfo, answer.isError { answer.redirect() } } }),
        WrongServer(
            "preflight", "405",
            .with { $0.after = { request, answer in if request.method == "OPTIONS" { answer.status = 405 } } }),
        WrongServer(
            "preflight", "without origin",
            .with {
                $0.after = { request, answer in
                    if request.method == "OPTIONS" { answer.drop("Access-Control-Allow-Origin") }
                }
            }),
        WrongServer(
            "status-200", "an error with 404",
            .with { $0.after = { _, answer in if answer.isError { answer.status = 404 } } }),
        WrongServer(
            "status-200", "an invoice with 201",
            .with { $0.after = { request, answer in if request.isCallback, !answer.isError { answer.status = 201 } } }),
        WrongServer(
            "content-type", "an error as HTML",
            .with { $0.after = { _, answer in if answer.isError { answer.replace("Content-Type", "text/html") } } }),
        WrongServer(
            "content-type", "an invoice as text",
            .with {
                $0.after = { request, answer in if request.isCallback { answer.replace("Content-Type", "text/plain") } }
            }),
        WrongServer("error-text", .errors { $0["reason"] = "System.InvalidOperationException: no invoice" }),
        WrongServer(
            "content-encoding", "gzip that is none",
            .with {
                $0.after = { request, answer in
                    if request.isCallback { answer.headers.append("Content-Encoding: gzip") }
                }
            }),
        WrongServer(
            "content-encoding", "gzip that nobody asked for",
            .with {
                $0.after = { request, answer in
                    guard request.isInfo || request.isCallback else { return }
                    answer.headers.append("Content-Encoding: gzip")
                    answer.raw = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
                }
            }),
        WrongServer("error-form", "in small letters", .errors { $0["status"] = "error" }),
        WrongServer("error-form", "no reason", .errors { $0["reason"] = nil }),
        WrongServer("error-form", "an empty reason", .errors { $0["reason"] = "" }),
        WrongServer(
            "cross-origin", "first step only",
            .with {
                $0.after = { request, answer in
                    if request.isCallback, !answer.isError { answer.drop("Access-Control-Allow-Origin") }
                }
            }),
        WrongServer(
            "cross-origin", "not on errors",
            .with { $0.after = { _, answer in if answer.isError { answer.drop("Access-Control-Allow-Origin") } } }),
        WrongServer(
            "cross-origin", "the origin repeated",
            .with {
                $0.after = { request, answer in
                    if request.isVerify { answer.replace("Access-Control-Allow-Origin", "https://wallet.example") }
                }
            }),
        WrongServer(
            "cross-origin-once",
            .with {
                $0.after = { request, answer in
                    if request.isCallback { answer.headers.append("Access-Control-Allow-Origin: *") }
                }
            }),
        WrongServer(
            "allowed-methods",
            .with {
                $0.after = { request, answer in
                    if request.isCallback { answer.headers.append("Access-Control-Allow-Methods: POST") }
                }
            }),
        WrongServer(
            "not-cached", "an invoice",
            .with { $0.after = { request, answer in if request.isCallback { answer.drop("Cache-Control") } } }),
        WrongServer(
            "not-cached", "the state of an invoice",
            .with {
                $0.after = { request, answer in
                    if request.isVerify { answer.replace("Cache-Control", "max-age=60") }
                }
            }),
        WrongServer(
            "not-cached", "the first step for a day",
            .with {
                $0.after = { request, answer in
                    if request.isInfo, !answer.isError { answer.replace("Cache-Control", "public, max-age=86400") }
                }
            }),
        WrongServer(
            "not-cached", "a stored invoice",
            .with { $0.after = { request, answer in if request.isCallback { answer.headers.append("Age: 20") } } }),
    ]
}

extension ServedAnswer {
    fileprivate mutating func redirect() {
        status = 301
        replace("Location", "http://127.0.0.1/elsewhere")
        raw = []
    }
}

extension ServedFault {
    fileprivate static func errors(_ change: @escaping @Sendable (inout JSONObject) -> Void) -> ServedFault {
        with { $0.after = { _, answer in if answer.isError { change(&answer.body) } } }
    }
}
