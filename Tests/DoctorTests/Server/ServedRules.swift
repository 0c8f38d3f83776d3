import LNURL
import LightningCoding
import LightningCrypto

/// What the server of these tests refuses.
struct ServedRules {
    private let fault: ServedFault

    init(_ fault: ServedFault) { self.fault = fault }

    /// Why a request for an invoice is refused.
    func refusal(of request: ServedRequest, _ spec: PayerDataSpec) -> String? {
        let amounts = request.items.filter { $0.name == "amount" }
        if !fault.skips.contains(.amountForm) {
            guard amounts.count == 1, let amount = UInt64(digits: amounts[0].value), amount > 0 else {
                return "amount must be one number"
            }
            guard fault.limits.contains(amount) || fault.skips.contains(.limits) else { return "amount out of range" }
        }
        if (request["comment"] ?? "").count > 100, !fault.skips.contains(.comment) { return "comment too long" }
        return refusal(ofPayerData: request["payerdata"], spec) ?? refusal(ofZap: request)
    }

    private func refusal(ofPayerData text: String?, _ spec: PayerDataSpec) -> String? {
        do throws(PayerDataFault) {
            _ = try PayerData(parsing: text, against: spec)
            return nil
        } catch {
            switch error {
            case .missing where fault.skips.contains(.mandatory): return nil
            case .badSignature where fault.skips.contains(.signature): return nil
            default: return "payer data"
            }
        }
    }

    private func refusal(ofZap request: ServedRequest) -> String? {
        guard let text = request["nostr"] else { return nil }
        guard let event = try? JSONValue(parsing: text), let key = event["pubkey"]?.string,
            let signature = event["sig"]?.string
        else { return "no event" }
        let signed: JSONValue = [
            0, .string(key), event["created_at"] ?? 0, event["kind"] ?? 0, event["tags"] ?? [], event["content"] ?? "",
        ]
        let isSigned = try? XOnlyPublicKey(Hexadecimal.decode(key)).verifies(
            SchnorrSignature(Hexadecimal.decode(signature)), of: SHA256.hash(signed.serializedBytes()))
        guard isSigned == true || fault.skips.contains(.zapSignature) else { return "bad signature" }
        let amount = event["tags"]?.array?.first { $0.array?.first == "amount" }?.array?[1].string
        return amount == request["amount"] || fault.skips.contains(.zapAmount) ? nil : "another amount"
    }
}
