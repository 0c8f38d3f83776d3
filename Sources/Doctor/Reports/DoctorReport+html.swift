public import LightningCoding
import MarkupWriting

extension DoctorReport {
    /// The report as one HTML page without scripts or anything from elsewhere.
    ///
    /// - Parameter time: when the report was made.
    public func html(at time: UnixTime) -> String {
        let policy = Markup.element(
            "meta",
            [
                ("http-equiv", "Content-Security-Policy"), ("content", "default-src 'none'; style-src 'unsafe-inline'"),
            ], [])
        let body: [Markup] = [
            .element(
                "main",
                [
                    .element("h1", [], evidence.service.name),
                    .element("p", [("class", worst.rawValue)], "\(worst.rawValue): \(summary)."),
                    .element("p", [], "Asked \(evidence.service.url.text) at \(time.iso8601)."),
                ] + overview + groups.map { section($0.title, $0.findings) })
        ]
        return HTMLPage("lnurl doctor: \(evidence.service.name)", style: Self.style, head: [policy], body: body).text
    }

    /// Links to what was found.
    private var overview: [Markup] {
        let found = findings.filter { $0.verdict >= .warning }.sorted { $0.verdict > $1.verdict }
        guard !found.isEmpty else { return [] }
        let items = found.map { finding in
            Markup.element(
                "li",
                [
                    .element("span", [("class", "verdict " + finding.verdict.rawValue)], finding.verdict.rawValue),
                    .text(" "), .element("a", [("href", "#" + finding.check.name)], finding.check.subject),
                ])
        }
        return [.element("nav", [("aria-label", "Findings")], [.element("ul", items)])]
    }

    private func section(_ title: String, _ findings: [Finding]) -> Markup {
        .element("section", [.element("h2", [], title)] + findings.map(article))
    }

    private func article(_ finding: Finding) -> Markup {
        let check = finding.check
        let isOpen = finding.verdict >= .warning ? [("open", "")] : []
        let attributes = [("id", check.name)] + isOpen
        let clients = check.brokenClients.map { Markup.element("li", [], "\($0.name): \($0.source)") }
        return .element(
            "details", attributes,
            [
                .element(
                    "summary",
                    [
                        .element("span", [("class", "verdict " + finding.verdict.rawValue)], finding.verdict.rawValue),
                        .text(" "), .element("strong", [], check.name), .text(" \(check.subject)"),
                    ]),
                .element("p", [], finding.detail.printable),
                .element("p", [.element("cite", [], check.rule.document), .text(" \(check.rule.text)")]),
            ] + (clients.isEmpty ? [] : [.element("p", [], "Who failed at it:"), .element("ul", clients)])
                + (finding.verdict == .skipped ? [] : exchanges(of: finding).map { exchange($0.probe, $0.exchange) }))
    }

    private func exchange(_ probe: Probe, _ exchange: RecordedExchange) -> Markup {
        let text = ExchangeText(probe, exchange)
        let answer = [text.status] + text.headers + (text.body.map { ["", $0] } ?? [])
        return .element(
            "div", [("class", "exchange")],
            [
                .element("h3", [], "\(probe.rawValue)\(text.milliseconds.map { ", \($0) ms" } ?? "")"),
                .element("p", [], "Sent:"),
                .element("pre", [], ([text.request] + [text.sentBody].compactMap(\.self)).joined(separator: "\n")),
                .element("p", [], "Answer:"), .element("pre", [], answer.joined(separator: "\n")),
            ])
    }

    private static let style: StaticString = """
        :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
        main { max-width: 60rem; margin: 0 auto; padding: 1rem }
        h1, h2, h3 { line-height: 1.2; overflow-wrap: anywhere } h3 { font-size: 1rem }
        nav ul { list-style: none; padding: 0 } .exchange p { margin: 0 }
        details { border-top: 1px solid #8888; padding: .4rem 0 } summary { cursor: pointer }
        summary:focus-visible, a:focus-visible { outline: 3px solid Highlight }
        pre { overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid #8888; padding-left: .6rem; margin: .4rem 0 }
        .verdict { display: inline-block; min-width: 5rem; font-weight: bold }
        .passed { color: light-dark(#0a5c2a, #7ddc9a) } .warning { color: light-dark(#7a4a00, #ffc266) }
        .failed { color: light-dark(#a00d0d, #ff9d9d) } .skipped { color: light-dark(#555, #b5b5b5) }
        """
}
