import Bolt11
import LNURL
import LightningCoding
import LightningCrypto

/// Whether a reply is what a notification of `lnurl notify` asked for.
struct ReplyChecks {
    let reply: ReceivedReply
    let json: JSONValue
    let asked: Notify
    let now: UnixTime

    var all: [Check] {
        do throws(LNURLFault) {
            switch asked.kind {
            case .payInfo: return try info() + [type]
            case .payInvoice: return try invoice() + [type]
            case .payVerify: return try verification() + [type]
            default: return []
            }
        } catch {
            return [.failed("reply", error.reason)]
        }
    }

    /// Receivers do not check the type: the Swift plugin of the Breez SDK sends none.
    private var type: Check {
        guard let type = reply.contentType?.lowercased(), type.hasPrefix("application/json") else {
            return .warning("type", "the content type is \(reply.contentType ?? "none"), not application/json")
        }
        return .passed("type", "application/json")
    }
}

// MARK: - lnurlpay_info

extension ReplyChecks {
    private func info() throws(LNURLFault) -> [Check] {
        let request = try PayRequest(json: json)
        let hash = Hexadecimal.encode(PayMetadata.descriptionHash(of: request.metadata))
        let limits = ["minSendable", "maxSendable"].compactMap { string($0, "limits", "LUD-06") }
        let comment = string("commentAllowed", "comment", "LUD-12")
        let range = "\(request.minSendable.formatted) to \(request.maxSendable.formatted)"
        return (limits.isEmpty ? [.passed("limits", range)] : limits)
            + [
                callback, .passed("metadata", "its SHA-256 is \(hash)"),
                comment ?? .passed("comment", "at most \(request.commentAllowed) characters"), infoLifetime,
            ]
    }

    /// Checks a number, which some services write as a string. Parsing accepts these, since their meaning is clear;
    /// strict wallets refuse them.
    private func string(_ member: String, _ check: String, _ rule: String) -> Check? {
        json[member]?.string.map { .failed(check, "\(member) is the string \"\($0)\", not a number (\(rule))") }
    }

    private var callback: Check {
        json["callback"]?.string == asked.fields.callbackURL
            ? .passed("callback", "copied")
            : .failed("callback", "\(json["callback"]?.string ?? "none"), not the given one")
    }

    private var infoLifetime: Check {
        guard let maxAge = reply.maxAge, maxAge > 0 else {
            return .warning("lifetime", "no Cache-Control: max-age, so every payer's request causes a notification")
        }
        return .passed("lifetime", "\(maxAge) seconds")
    }
}

// MARK: - lnurlpay_invoice

extension ReplyChecks {
    private func invoice() throws(LNURLFault) -> [Check] {
        guard let pr = json["pr"]?.string, !pr.isEmpty else { throw .missing(.pr) }
        var checks = [routes]
        do throws(Bolt11Fault) {
            let invoice = try Bolt11Invoice(pr)
            checks += [
                .passed("signature", "by node \(invoice.payee.hexadecimal)"), amount(of: invoice),
                description(of: invoice), expiry(of: invoice), verify(of: invoice),
            ]
        } catch {
            checks.append(.failed("invoice", error.reason))
        }
        return checks + [uncached]
    }

    private var routes: Check {
        json["routes"]?.array == []
            ? .passed("routes", "empty, as some wallets want it")
            : .warning("routes", "no empty array, which some wallets want (LUD-06)")
    }

    private func amount(of invoice: Bolt11Invoice) -> Check {
        let found = invoice.amount?.formatted ?? "none"
        guard let wanted = try? asked.fields.requestedAmount() else {
            return .warning("amount", "\(found); nothing to compare it with")
        }
        return invoice.amount == wanted
            ? .passed("amount", "\(found), as asked")
            : .failed("amount", "\(found), but \(wanted.formatted) was asked")
    }

    private func description(of invoice: Bolt11Invoice) -> Check {
        guard case .hash(let hash) = invoice.description else {
            return .failed("description", "a text instead of the hash of the metadata")
        }
        guard let metadata = asked.metadata else {
            return .warning("description", "the hash \(Hexadecimal.encode(hash)); no --metadata to compare it with")
        }
        return hash == PayMetadata.descriptionHash(of: metadata)
            ? .passed("description", "the SHA-256 of the metadata")
            : .failed("description", "not the hash of the metadata")
    }

    private func expiry(of invoice: Bolt11Invoice) -> Check {
        if invoice.contents.isExpired(at: now) {
            return .failed("expiry", "expired at \(invoice.expiresAt.iso8601)")
        }
        return .passed("expiry", "in \(invoice.expiresAt.seconds(since: now)) seconds")
    }

    private func verify(of invoice: Bolt11Invoice) -> Check {
        let found = json["verify"]?.string
        guard let template = asked.fields.verifyURL else {
            return found == nil
                ? .passed("verify", "none, and none was offered")
                : .failed("verify", "although no URL for it was given")
        }
        let whole = template.replacing("{payment_hash}", with: invoice.paymentHash.hexadecimal)
        return found == whole
            ? .passed("verify", whole) : .failed("verify", "\(found ?? "none"), but it should be \(whole)")
    }

    private var uncached: Check {
        reply.cacheControl == nil
            ? .passed("lifetime", "none, since an invoice is for one payer")
            : .failed("lifetime", "an invoice must not be cached, but: \(reply.cacheControl ?? "")")
    }
}

// MARK: - lnurlpay_verify

extension ReplyChecks {
    private func verification() throws(LNURLFault) -> [Check] {
        let answer = try VerifyResponse(json: json)
        let invoice = try? Bolt11Invoice(answer.pr)
        return [
            .passed("settled", answer.settled ? "yes" : "not yet"), paymentHash(of: invoice),
        ] + (answer.settled ? [answer.proof(of: invoice)] : []) + [verificationLifetime(isSettled: answer.settled)]
    }

    private func paymentHash(of invoice: Bolt11Invoice?) -> Check {
        guard let found = invoice?.paymentHash.hexadecimal else {
            return .failed("payment hash", "none: pr is not a BOLT11 invoice")
        }
        return found == asked.fields.paymentHash?.lowercased()
            ? .passed("payment hash", "the requested one")
            : .failed("payment hash", "\(found) differs")
    }

    private func verificationLifetime(isSettled: Bool) -> Check {
        let maxAge = reply.maxAge ?? 0
        if isSettled || maxAge <= 60 { return .passed("lifetime", "\(maxAge) seconds") }
        return .failed("lifetime", "\(maxAge) seconds: the payment would go unnoticed for that long")
    }
}

extension VerifyResponse {
    /// Whether the preimage in a settled answer proves the payment of the invoice in it (LUD-21).
    func proof(of invoice: Bolt11Invoice?) -> Check {
        guard let preimage else { return .warning("preimage", "settled, but the service shows no proof") }
        guard let invoice else { return .warning("preimage", "no invoice to compare it with") }
        return preimage.paymentHash == invoice.paymentHash
            ? .passed("preimage", "its SHA-256 is the payment hash")
            : .failed("preimage", "its SHA-256 is not the payment hash, so it proves nothing")
    }
}
