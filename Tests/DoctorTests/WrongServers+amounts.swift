import Bolt11
import LightningCoding
import LightningCrypto

extension WrongServer {
    static let amounts: [WrongServer] = [
        WrongServer("amount-odd", "rounded down", .draft { $0.amount = $0.amount.map { $0 / 1000 * 1000 } }),
        WrongServer("amount-odd", "rounded up", .draft { $0.amount = $0.amount.map { ($0 + 999) / 1000 * 1000 } }),
        WrongServer("amount-minimum", .refusing { $0.isCallback && $0["amount"] == "1000" }),
        WrongServer("amount-maximum", .refusing { $0.isCallback && $0["amount"] == "100000000" }),
        WrongServer("amount-below-minimum", .accepting { $0 == 999 }),
        WrongServer("amount-above-maximum", .accepting { $0 > 100_000_000 && $0 < 1 << 40 }),
        WrongServer("amount-zero", .amountless { $0 == "0" }),
        WrongServer("amount-negative", .amount { $0.hasPrefix("-") ? 21_000 : nil }),
        WrongServer("amount-exponent", .amount { $0.contains("e") && !$0.hasPrefix("0x") ? 21_000 : nil }),
        WrongServer("amount-fraction", .amount { $0.contains(".") ? 21_000 : nil }),
        WrongServer("amount-hexadecimal", .amount { $0.hasPrefix("0x") ? 21_000 : nil }),
        WrongServer("amount-sign", .amount { $0.hasPrefix("+") ? 21_000 : nil }),
        WrongServer("amount-space", .amount { $0.hasPrefix(" ") ? 21_000 : nil }),
        WrongServer("amount-huge", .amount { $0.utf8.count > 19 ? 21_000 : nil }),
        WrongServer("amount-empty", .amountless { $0 == "" }),
        WrongServer("amount-missing", .amountless { $0 == nil }),
        WrongServer(
            "amount-repeated",
            .with { fault in
                fault.before = { request in
                    if request.items.filter({ $0.name == "amount" }).count > 1 { request["amount"] = "21000" }
                }
            }),
        WrongServer("unknown-parameter", .refusing { $0.isCallback && $0["__n"] != nil }),
        WrongServer(
            "parameter-order", .refusing { $0.isCallback && $0.items.last?.name == "amount" && $0.items.count > 1 }),
    ]

    static let payers: [WrongServer] = [
        WrongServer("comment-empty", .refusing { $0["comment"] == "" }),
        WrongServer("comment-longest", .refusing { $0["comment"]?.utf8.count == 100 }),
        WrongServer(
            "comment-longest-emoji", "one text",
            .refusing { $0["comment"] == String(repeating: "\u{1F600}", count: 100) }),
        WrongServer("comment-longest-emoji", "counts UTF-16", .refusing { ($0["comment"] ?? "").utf16.count > 100 }),
        WrongServer("comment-too-long", .cutting { $0.utf8.count == 101 }),
        WrongServer("comment-too-long-emoji", .cutting { $0.utf8.count > 400 }),
        WrongServer("payer-data", .refusing { $0.isCallback && $0["payerdata"]?.contains("auth") == true }),
        WrongServer("payer-data-missing", .skipping(.mandatory)),
        WrongServer("payer-data-forged", .skipping(.signature)),
        WrongServer("zap", .refusing { ($0["nostr"] ?? "").utf8.count > 1024 }),
        WrongServer(
            "zap-hash",
            .with {
                $0.draft = { request, draft in
                    if request.isZap { draft.description = .hash(SHA256.hash("metadata".utf8)) }
                }
            }),
        WrongServer("zap-forged", .skipping(.zapSignature)),
        WrongServer("zap-other-amount", .skipping(.zapAmount)),
    ]
}

extension ServedFault {
    /// Accepts amounts beyond the limits.
    fileprivate static func accepting(_ isAccepted: @escaping @Sendable (UInt64) -> Bool) -> ServedFault {
        with { fault in
            fault.before = { request in
                guard request.isCallback, let amount = request["amount"].flatMap({ UInt64(digits: $0) }) else { return }
                if isAccepted(amount) { request["amount"] = "21000" }
            }
        }
    }

    /// Makes an invoice without an amount.
    fileprivate static func amountless(_ isAccepted: @escaping @Sendable (String?) -> Bool) -> ServedFault {
        with { fault in
            fault.before = { request in
                if request.isCallback, isAccepted(request["amount"]) { request["amount"] = "21000" }
            }
        }
    }

    /// Cuts a comment in place of refusing it.
    fileprivate static func cutting(_ isCut: @escaping @Sendable (String) -> Bool) -> ServedFault {
        with { fault in
            fault.before = { request in
                if let comment = request["comment"], isCut(comment) { request["comment"] = "cut" }
            }
        }
    }
}
