import LightningCoding
import LNURL

extension CheckGroup {
    static let successAction = CheckGroup(
        "Success action",
        [
            ServiceCheck(
                "success-action-null", "without an action there is no member, not null", .must,
                Rule("practice", "null breaks readers that take the member for an object."),
                breaks: [BrokenClient("Electrum", "spesmilo/electrum#10712")], reads: [.invoice]
            ) { evidence throws(Skipped) in
                try evidence.payAnswer()["successAction"] == .null ? .breaks("it is null") : .follows()
            },
            ServiceCheck(
                "success-action-none", "there is no action, or one that only shows a message", .should,
                Rule("practice", "Not all wallets pay when there is one."),
                breaks: [
                    BrokenClient("Electrum", "spesmilo/electrum#10712"),
                    BrokenClient("Electrum", "spesmilo/electrum#10269"),
                ], reads: [.invoice]
            ) { evidence throws(Skipped) in
                guard let action = try evidence.payAnswer()["successAction"], !action.isNull else { return .follows() }
                // Only a valid one: any other is refused by every wallet.
                guard let valid = try? evidence.successAction(),
                    (try? valid.requireHost(of: evidence.info.callback())) != nil
                else { throw Skipped("it is not valid") }
                if case .message = valid { return .follows("a message") }
                return .breaks("there is one, \(action["tag"].shown)")
            },
            ServiceCheck(
                "success-action-form", "the action has a known tag, and texts of at most 144 characters", .must,
                Rule("LUD-09", "message, url or aes, each with its members; texts of at most 144 characters."),
                reads: [.invoice]
            ) { evidence throws(Skipped) in try evidence.judgeAction(isEncrypted: false) },
            ServiceCheck(
                "success-action-aes", "the encrypted action has whole blocks and a vector of 16 bytes", .must,
                Rule("LUD-10", "ciphertext in base64, at most 4096 characters; iv of 24 characters of base64."),
                reads: [.invoice]
            ) { evidence throws(Skipped) in try evidence.judgeAction(isEncrypted: true) },
            ServiceCheck(
                "success-action-host", "the link of the action is at the callback's host", .must,
                Rule("LUD-09", "The domain of url must be the domain of the callback."),
                breaks: [
                    BrokenClient("Breez SDK", "breez/breez-sdk-greenlight#1028"),
                    BrokenClient("Bitcoin Lightning Wallet", "btcontract/lnwallet#35"),
                ], reads: [.invoice, .info]
            ) { evidence throws(Skipped) in
                let callback = try evidence.info.callback()
                guard case .url(let link) = try evidence.successAction() else { throw Skipped("it is no link") }
                return link.url.host == callback.host ? .follows(link.url.host) : .breaks(link.url.host)
            },
        ])
}

extension Evidence {
    fileprivate func successAction() throws(Skipped) -> SuccessAction {
        guard let value = try payAnswer()["successAction"], !value.isNull else { throw Skipped("there is no action") }
        guard let action = try? SuccessAction(json: value) else { throw Skipped("it is not valid") }
        return action
    }

    fileprivate func judgeAction(isEncrypted: Bool) throws(Skipped) -> Judgment {
        guard let value = try payAnswer()["successAction"], !value.isNull else { throw Skipped("there is no action") }
        guard (value["tag"] == "aes") == isEncrypted else { throw Skipped("it is of another kind") }
        do throws(SuccessActionFault) {
            _ = try SuccessAction(json: value)
            return .follows()
        } catch {
            return .breaks(error.reason)
        }
    }
}
