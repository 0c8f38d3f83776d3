import BlindedPaths
import LightningCoding
import LightningCrypto
import ResponderModel

extension Result<BackendExamination, BackendFault> {
    var problems: [String] {
        switch self {
        case .success(let examination): examination.problems
        case .failure(let fault): ["the node does not answer: \(fault.reason)"]
        }
    }

    func text(of name: BackendName) -> String {
        switch self {
        case .success(let examination): examination.text(of: name)
        case .failure: "\(name): does not answer\n"
        }
    }

    func json(of name: BackendName) -> JSONValue {
        switch self {
        case .success(let examination): examination.json(of: name)
        case .failure(let fault): ["name": .string(name.description), "fault": .string(fault.reason)]
        }
    }
}

extension BackendExamination {
    fileprivate func text(of name: BackendName) -> String {
        var lines = [
            ("Node", "\(node.nodeID)"),
            ("Name", [node.alias, node.version].compactMap { $0?.printable }.joined(separator: ", ")),
            (
                "Network",
                "\(node.network.rawValue), block \(node.blockHeight), \(node.isSynchronized ? "synchronized" : "not synchronized")"
            ),
            ("Reached", reach), ("Receives", limits.words), ("Amounts", capabilities.precision.words),
            ("Preimages", capabilities.acceptsPreimage ? "accepts ours" : "its own only"),
            ("Cancelling", capabilities.cancels ? "supported" : "not supported"),
            ("Offers", capabilities.offers.words), ("Invoice", trial.words),
        ]
        if case .success(let calls) = missingPermissions, calls.isEmpty {
            lines.append(("Permissions", "none missing"))
        }
        return "\(name)\n"
            + lines.filter { !$0.1.isEmpty }
            .map { "  " + ($0.0 + ":").padded(to: 13) + $0.1 + "\n" }.joined()
    }

    private var reach: String {
        if node.isPublic { return "by its id" }
        let peers = node.introductionPeers.count
        return peers == 0 ? "through no peer now" : "through \(peers) of its peers"
    }

    fileprivate func json(of name: BackendName) -> JSONValue {
        [
            "name": .string(name.description), "nodeID": .string("\(node.nodeID)"),
            "network": .string(node.network.rawValue), "blockHeight": .unsigned(UInt64(node.blockHeight)),
            "synchronized": .bool(node.isSynchronized), "public": .bool(node.isPublic),
            "introductionPeers": .array(node.introductionPeers.map { .string("\($0.nodeID)") }),
            "alias": .text(node.alias), "version": .text(node.version),
            "minimum": .number((try? limits.get())?.minimum.msat),
            "maximum": .number((try? limits.get())?.maximum.msat),
            "capabilities": [
                "precision": .string(capabilities.precision == .millisatoshi ? "msat" : "sat"),
                "preimage": .bool(capabilities.acceptsPreimage), "cancel": .bool(capabilities.cancels),
                "offers": .string(capabilities.offers.word), "textLimit": .integer(capabilities.textLimit),
            ],
            "missingPermissions": .array(((try? missingPermissions.get()) ?? []).map { .string($0) }),
            "invoice": .string(trial.words),
        ]
    }
}

extension Result<ReceiveLimits, BackendFault> {
    fileprivate var words: String {
        switch self {
        case .success(let limits): "\(limits.minimum.formatted) to \(limits.maximum.formatted)"
        case .failure: "nothing now"
        }
    }
}

extension BackendCapabilities.Precision {
    fileprivate var words: String {
        switch self {
        case .millisatoshi: "to the millisatoshi"
        case .wholeSatoshi: "whole satoshis only"
        }
    }
}

extension BackendCapabilities.Offers {
    fileprivate var words: String {
        switch self {
        case .none: "cannot be paid"
        case .builtHere: "ours, built from its invoices"
        case .ownOffers: "its own"
        }
    }

    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .builtHere: "built"
        case .ownOffers: "own"
        }
    }
}

extension BackendExamination.Trial {
    fileprivate var words: String {
        switch self {
        case .cancelled: "created as ordered, then cancelled"
        case .expires: "created as ordered; expires in a minute"
        case .notCancelled: "created as ordered, but not cancelled"
        case .mismatch: "does not match the order"
        case .refused: "not created"
        case .none: "not ordered"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
