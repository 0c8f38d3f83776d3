import LightningCoding
import OutboundHTTP

extension CheckGroup {
    static let nostrName = CheckGroup(
        "Nostr name",
        [
            nostrCheck("nostr-name-redirect", "the list of names is not a redirect", "The endpoint must not redirect.")
            { answer, _ in
                answer.isRedirect ? .breaks("status \(answer.status)") : .follows()
            },
            nostrCheck(
                "nostr-name-cross-origin", "the list of names allows all origins",
                "JavaScript apps need Access-Control-Allow-Origin: *."
            ) { answer, _ in
                HTTPRule.crossOrigin.fault(in: answer, to: .info).map { .breaks($0) } ?? .follows()
            },
            nostrCheck(
                "nostr-name-key", "the name's key has 64 lower-case hexadecimal digits", "Keys are in hex format."
            ) { answer, name throws(Skipped) in
                let listed = answer.names.filter { $0.key.isExactly(name) }
                guard !listed.isEmpty else { throw Skipped("the name is not listed") }
                let wrong = listed.first { !$0.value.isNostrKey }
                return wrong.map { .breaks("\($0.key) is \($0.value.serialized())") } ?? .follows()
            },
            nostrCheck(
                "nostr-name-asked", "the name that was asked is listed, once, and no other",
                "A dynamic server answers with the name of the query.", .should
            ) { answer, name in
                let names = answer.names.map(\.key)
                return names.count == 1 && names[0].isExactly(name)
                    ? .follows() : .breaks(names.joined(separator: ", "))
            },
            nostrCheck(
                "nostr-name-relays", "relays are lists of URLs by key",
                "relays: an object with public keys as properties and arrays of relays as values."
            ) { answer, _ throws(Skipped) in
                guard let relays = answer.json?["relays"], !relays.isNull else { throw Skipped("no relays are named") }
                let members = relays.object?.members
                let isRight = members?.allSatisfy { JSONValue.string($0.key).isNostrKey && $0.value.isRelayList }
                return isRight == true ? .follows() : .breaks("they are \(relays.serialized())")
            },
        ])

    /// A check of the answer, when the service claims the name.
    private static func nostrCheck(
        _ name: String, _ subject: String, _ text: String, _ severity: Severity = .must,
        judge: @escaping @Sendable (HTTPResponse, String) throws(Skipped) -> Judgment
    ) -> ServiceCheck {
        ServiceCheck(name, subject, severity, Rule("NIP-05", text), reads: [.nostrName]) {
            evidence throws(Skipped) in
            let isRedirect = name == "nostr-name-redirect"
            guard case .success(let answer)? = evidence.exchanges[.nostrName]?.outcome else {
                throw Skipped(evidence.omissions[.nostrName] ?? "there was no answer")
            }
            guard !answer.names.isEmpty || isRedirect && answer.isRedirect else {
                throw Skipped("the name is not claimed")
            }
            return try judge(answer, evidence.parameter("name", of: .nostrName) ?? "")
        }
    }
}

extension HTTPResponse {
    fileprivate var names: [JSONObject.Member] { json?["names"]?.object?.members ?? [] }
}

extension JSONValue {
    fileprivate var isNostrKey: Bool {
        guard let text = string else { return false }
        return text.utf8.count == 64 && text.isExactly(text.lowercasedASCII) && (try? Hexadecimal.decode(text)) != nil
    }

    fileprivate var isRelayList: Bool {
        array?.allSatisfy { relay in
            ["wss://", "ws://"].contains { relay.string?.lowercasedASCII.hasPrefix($0) == true }
        } ?? false
    }
}
