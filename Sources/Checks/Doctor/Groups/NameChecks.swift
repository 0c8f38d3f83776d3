import LightningCoding

extension CheckGroup {
    static let names = CheckGroup(
        "Names",
        [
            ServiceCheck(
                "name-unknown", "a name that does not exist is refused", .must,
                Rule("LUD-01", "In case of an error a service returns an ERROR, which a payer can read."),
                reads: [.unknownName, .info]
            ) { evidence throws(Skipped) in
                _ = try evidence.info.object()
                return try evidence.judgeError(.unknownName)
            },
            ServiceCheck(
                "name-upper-case", "the name is found in capital letters", .should,
                Rule("practice", "Phones capitalize what is typed; LUD-16 names have small letters only."),
                breaks: [
                    BrokenClient("Alby", "getAlby/lightning-browser-extension#2368"),
                    BrokenClient("Amethyst, Zeus", "Dolu89/ligess#11"),
                ], reads: [.infoUpperCase, .info]
            ) { evidence throws(Skipped) in try evidence.judgeSame(as: .infoUpperCase) },
            ServiceCheck(
                "name-percent-encoded", "the name is found percent-encoded", .should,
                Rule("RFC 3986", "An encoded unreserved character is equivalent to the character itself."),
                reads: [.infoPercentEncoded, .info]
            ) { evidence throws(Skipped) in try evidence.judgeSame(as: .infoPercentEncoded) },
            ServiceCheck(
                "name-tag", "a tag after + leads to the same recipient", .should,
                Rule("LUD-16", "A service should take <username>+<tag> for <username>."), reads: [.infoTag, .info]
            ) { evidence throws(Skipped) in
                _ = try evidence.info.object()
                return try evidence.isInfo(.infoTag) ? .follows("it is answered") : .breaks("it is refused")
            },
            ServiceCheck(
                "metadata-tag", "text/tag is the tag that was asked", .must,
                Rule("LUD-16", "A service may add [\"text/tag\", \"<tag>\"] to the metadata."), reads: [.infoTag]
            ) { evidence throws(Skipped) in
                let tags = try EvidenceSource(evidence: evidence, probe: .infoTag).contents(of: "text/tag")
                guard let tag = tags.first else { throw Skipped("there is no text/tag") }
                return tags.count == 1 && tag == "doctor" ? .follows("doctor") : .breaks("it is \(tag.shown)")
            },
        ])
}

extension Evidence {
    /// Whether another spelling of the name has the metadata of the first answer.
    fileprivate func judgeSame(as probe: Probe) throws(Skipped) -> Judgment {
        _ = try info.object()
        guard try isInfo(probe) else { return .breaks("it is refused") }
        // The identifier may repeat the capital letters.
        guard let text = EvidenceSource(evidence: self, probe: probe).member("metadata")?.string?.lowercased(),
            let expected = info.member("metadata")?.string?.lowercased()
        else { return .follows("it is answered") }
        return text.isExactly(expected) ? .follows() : .breaks("the metadata are another's")
    }
}
