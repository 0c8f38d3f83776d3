/// Checks of one subject, in the order of a report.
public struct CheckGroup: Sendable {
    /// The heading: `First answer`.
    public let title: String
    /// The checks.
    public let checks: [ServiceCheck]

    init(_ title: String, _ checks: [ServiceCheck]) {
        self.title = title
        self.checks = checks
    }

    /// Every group.
    public static let all: [CheckGroup] = [
        connection, http, firstAnswer, metadata, names, invoice, amounts, comments, payerData, successAction,
        settlement,
        repetition, zaps, nostrName, dnsName,
    ]
}

extension ServiceCheck {
    /// Every check.
    public static let all: [ServiceCheck] = CheckGroup.all.flatMap(\.checks)
}
