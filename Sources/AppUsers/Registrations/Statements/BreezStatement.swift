package import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

package struct BreezStatement: Hashable, Sendable {
    package let key: PublicKey
    /// The name, folded to lower case.
    package let name: AddressName?
    /// The offer; nil without a name, since it is then not signed.
    package let offer: String?
    /// Prevent that the text is used again in the same domain. It does not say which operation it is for: one that has
    /// registered or recovered does not unregister.
    package let claims: [StatementClaim]

    /// The longest offer, in bytes.
    package static let maximumOffer = 8192

    /// Checks a request, in the order of breez-lnurl: time, length of the name, name, offer, signature.
    ///
    /// The signature is that of a Lightning node over the text (zbase32; SHA-256 twice over a prefix and the text).
    ///
    /// - Parameters:
    ///   - operation: what is asked for.
    ///   - request: the body.
    ///   - key: the key as in the path; compared as text, so that only lower case is accepted.
    ///   - domain: the domain that is asked.
    ///   - now: our time.
    package init(
        _ operation: BreezOperation, _ request: BreezRequest, by key: some StringProtocol,
        at domain: some StringProtocol, now: UnixTime
    ) throws(StatementFault) {
        let ahead = request.time.subtractingReportingOverflow(Int64(clamping: now.seconds))
        guard !ahead.overflow, ahead.partialValue.magnitude <= BreezOperation.tolerance else {
            throw .clock(ahead: ahead.overflow ? .min : ahead.partialValue)
        }
        let takesName = operation == .register || operation == .registerOffer
        name = takesName ? try Self.name(request.username, isMandatory: operation == .registerOffer) : nil
        offer = try Self.offer(operation == .register && name == nil ? nil : request.offer, of: operation)
        let text = operation.text(of: request)
        guard let signer = try? LightningMessage.recover(request.signature, message: text),
            signer.hexadecimal.isExactly(key)
        else { throw .signature }
        self.key = signer
        let end = UnixTime(UInt64(clamping: request.time)).adding(seconds: BreezOperation.tolerance)
        claims = operation.uses.map { use in
            let fields = [use.rawValue, String(domain), signer.hexadecimal, text]
            return StatementClaim(
                use, digest: SHA256.hash(fields.joined(separator: "\0").utf8), expiresAt: end)
        }
    }

    private static func name(_ text: String?, isMandatory: Bool) throws(StatementFault) -> AddressName? {
        guard let text = text ?? (isMandatory ? "" : nil) else { return nil }
        return try AddressName(registering: text)
    }

    private static func offer(_ text: String?, of operation: BreezOperation) throws(StatementFault) -> String? {
        guard let text else { return nil }
        // Where an offer is all that is signed, breez-lnurl takes any text.
        guard operation != .register || text.begins(with: "lno") else { throw .offer }
        guard text.utf8.count <= maximumOffer, !text.utf8.contains(0) else { throw .offer }
        return text
    }
}

extension AddressName {
    /// A name that may be registered: one of LUD-16, without a dot at either end or two in a row, since in the DNS each
    /// dot ends a label.
    init(registering text: String) throws(StatementFault) {
        guard text.utf8.count <= AddressName.maximumCount else { throw .nameTooLong }
        self = try rethrowing(AddressName(text), as: StatementFault.name)
        let labels = self.text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty) else { throw .dots }
    }
}

/// Why a signed request about a registration is refused, before its order is looked at.
///
/// Wallets are told less: `invalid signature` for nearly all of them.
package enum StatementFault: Error, NamedRule, Hashable, Sendable {
    /// The body is not a JSON object with members of the right types.
    case body
    /// The statement's time differs from ours by more than is allowed; in seconds, negative when the wallet is behind.
    case clock(ahead: Int64)
    /// The name has more than 64 bytes.
    case nameTooLong
    /// The name breaks a rule of LUD-16.
    case name(AddressFault)
    /// The name begins or ends with a dot, or has two in a row.
    case dots
    /// The offer does not begin with `lno`, or is too long.
    case offer
    /// The signature is not the key's over this statement.
    case signature
}

extension StatementFault: ReadableFault {
    package var reason: String {
        switch self {
        case .body: "the body is not the expected JSON"
        case .clock(let ahead) where ahead < 0: "the wallet's clock is \(ahead.magnitude) s behind"
        case .clock(let ahead): "the wallet's clock is \(ahead) s ahead"
        case .nameTooLong: "the name has more than 64 bytes"
        case .name(let fault): "the name: \(fault.reason)"
        case .dots: "the name begins or ends with a dot, or has two in a row"
        case .offer: "the offer does not begin with lno, or is too long"
        case .signature: "the signature is not the key's"
        }
    }
}

extension StatementFault {
    /// A name is one case, whatever is wrong with it.
    package var rule: String { caseName }
}
