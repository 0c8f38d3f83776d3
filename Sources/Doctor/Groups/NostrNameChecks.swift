import LightningCoding

extension CheckGroup {
    static let nostrName = CheckGroup(
        "Nostr name",
        [
            nostrCheck("nostr-name-redirect", "the list of names is not a redirect", "The endpoint must not redirect.")
            {
                (300...399).contains($0.status) ? .breaks("status \($0.status)") : .follows("it is not")
            },
            nostrCheck(
                "nostr-name-cross-origin", "the list of names allows all origins",
                "JavaScript apps need Access-Control-Allow-Origin: *."
            ) { answer in
                HTTPRule.crossOrigin.fault(in: answer, to: .info).map { .breaks($0) } ?? .follows("it does")
            },
            nostrCheck(
                "nostr-name-key", "the name's key has 64 lower-case hexadecimal digits", "Keys are in hex format."
            ) { answer in
                let keys = answer.json?["names"]?.object?.members ?? []
                let wrong = keys.first { member in
                    let text = member.value.string ?? ""
                    return text.utf8.count != 64 || !text.isExactly(text.lowercasedASCII)
                        || (try? Hexadecimal.decode(text)) == nil
                }
                return wrong.map { .breaks("\($0.key) is \($0.value.serialized())") } ?? .follows("it has")
            },
            nostrCheck(
                "nostr-name-asked", "only the name that was asked is listed",
                "A dynamic server answers with the name of the query.", .should
            ) { answer in
                let names = answer.json?["names"]?.object?.members.count ?? 0
                return names > 1 ? .breaks("\(names) names") : .follows("one")
            },
        ])

    /// A check of the answer, when the service claims the name.
    private static func nostrCheck(
        _ name: String, _ subject: String, _ text: String, _ severity: Severity = .must,
        judge: @escaping @Sendable (RecordedAnswer) -> ServiceCheck.Judgement
    ) -> ServiceCheck {
        ServiceCheck(name, subject, severity, Rule("NIP-05", text), reads: [.nostrName]) {
            evidence throws(ServiceCheck.Skipped) in
            let isRedirect = name == "nostr-name-redirect"
            guard case .success(let answer)? = evidence.exchanges[.nostrName]?.outcome else {
                throw ServiceCheck.Skipped(evidence.omissions[.nostrName] ?? "there was no answer")
            }
            let names = answer.json?["names"]?.object?.members ?? []
            guard !names.isEmpty || isRedirect && (300...399).contains(answer.status) else {
                throw ServiceCheck.Skipped("the name is not claimed")
            }
            return judge(answer)
        }
    }
}
