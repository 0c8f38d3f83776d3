import LightningCoding

extension WrongServer {
    /// Servers that break down at what they should refuse.
    static let badInput: [WrongServer] = [
        WrongServer("name-unknown", "hangs up on bad input", also: refusals, .badInput { $0.isSent = false }),
        WrongServer(
            "status-200", "500 HTML on bad input", also: ["content-type", "error-form"] + refusals,
            .badInput { answer in
                answer.status = 500
                answer.replace("Content-Type", "text/html")
                answer.raw = Array("<h1>Internal Server Error</h1>".utf8)
            }),
        WrongServer(
            "amount-negative", "hangs up on one amount",
            .with {
                $0.after = { request, answer in if request["amount"]?.hasPrefix("-") == true { answer.isSent = false } }
            }),
        WrongServer("error-form", "another form", also: refusals, .badInput { $0.body = ["detail": "Not found"] }),
        WrongServer("error-form", "an empty body", also: refusals, .badInput { $0.raw = [] }),
        WrongServer(
            "cross-origin", "not on the refusal of a long comment",
            .with {
                $0.after = { request, answer in
                    if (request["comment"] ?? "").count > 100 { answer.drop("Access-Control-Allow-Origin") }
                }
            }),
        WrongServer(
            "content-type", "of an unknown path",
            .with {
                $0.after = { request, answer in
                    if request.path.hasPrefix("/.well-known/lnurlp/alice/") {
                        answer.replace("Content-Type", "text/html")
                    }
                }
            }),
    ]
}

extension ServedFault {
    fileprivate static func badInput(_ change: @escaping @Sendable (inout ServedAnswer) -> Void) -> ServedFault {
        with { $0.after = { _, answer in if answer.isError { change(&answer) } } }
    }
}
