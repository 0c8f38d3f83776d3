import LightningCoding

extension WrongServer {
    /// Servers that break down at what they should refuse.
    static let badInput: [WrongServer] = [
        WrongServer("answered", "hangs up on bad input", .badInput { $0.isSent = false }),
        WrongServer("answered", "503 on bad input", .badInput { $0.status = 503 }),
        WrongServer(
            "answered", "ends after some requests",
            .with { $0.after = { request, answer in if request.number > 15 { answer.isSent = false } } }),
        WrongServer(
            "answered", "503 after some requests",
            .with {
                $0.after = { request, answer in
                    guard request.number > 15 else { return }
                    answer.status = 503
                    answer.raw = Array("<h1>Service Unavailable</h1>".utf8)
                }
            }),
        WrongServer(
            "error-form", "500 HTML on bad input",
            .badInput { answer in
                answer.status = 500
                answer.replace("Content-Type", "text/html")
                answer.raw = Array("<h1>Internal Server Error</h1>".utf8)
            }),
        WrongServer(
            "answered", "hangs up on one amount",
            .with {
                $0.after = { request, answer in if request["amount"]?.hasPrefix("-") == true { answer.isSent = false } }
            }),
        WrongServer(
            "error-form", "another form",
            .badInput { answer in
                answer.status = 404
                answer.body = ["detail": "Not found"]
            }),
        WrongServer("error-form", "OK in place of ERROR", .badInput { $0.body["status"] = "OK" }),
        WrongServer("error-form", "an empty body", .badInput { $0.raw = [] }),
        WrongServer(
            "cross-origin", "not on the refusal of a long comment",
            .with {
                $0.after = { request, answer in
                    if (request["comment"] ?? "").count > 100 { answer.drop("Access-Control-Allow-Origin") }
                }
            }),
    ]
}

extension ServedFault {
    fileprivate static func badInput(_ change: @escaping @Sendable (inout ServedAnswer) -> Void) -> ServedFault {
        with { $0.after = { _, answer in if answer.isError { change(&answer) } } }
    }
}
