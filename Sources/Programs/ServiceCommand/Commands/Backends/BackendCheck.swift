import ArgumentParser
import BlindedPaths
import ServiceSetup
import LightningCoding
import Platform
import ResponderModel

extension BackendCommands {
    struct Check: InstallationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show each node's identity and capabilities, and create one small invoice at it.",
            discussion: """
                Shows node id, network, receive limits, capabilities and missing permissions. The invoice is canceled \
                immediately, or expires in a minute if the node cannot cancel. Exit code 69 if a node does not answer, 1 if \
                something else is wrong.
                """
        )

        @OptionGroup var common: CommonOptions
        @Argument(help: "The node's name (default: all).")
        var name: String?

        func perform() async throws(CommandFailure) -> CommandResult {
            try await Installation.openOrMake(settings.configuration()).closing {
                installation throws(CommandFailure) in
                try await report(on: installation.backends, clock: installation.now)
            }
        }

        private func report(
            on all: [BackendName: any ReceiveBackend], clock: WallClock
        ) async throws(CommandFailure) -> CommandResult {
            var backends = all
            if let name {
                let name = try BackendName(argument: name)
                backends = [name: try backends[name].found(or: "no node named \(name) is configured")]
            }
            var texts: [String] = []
            var nodes: [JSONValue] = []
            var problems: [String] = []
            var isSilent = false
            for (name, backend) in backends.sorted(by: { $0.key.description < $1.key.description }) {
                do throws(BackendFault) {
                    let examination = try await BackendExamination(of: backend, clock: clock)
                    texts.append(examination.text(of: name))
                    nodes.append(examination.json(of: name))
                    problems += examination.problems.map { "backend \(name): \($0)" }
                } catch {
                    texts.append("\(name): does not answer\n")
                    problems.append("backend \(name): the node does not answer: \(error.reason)")
                    isSilent = true
                }
            }
            let text = texts.joined(separator: "\n")
            guard problems.isEmpty else {
                if !output.json { StandardStream.output.write(text) }
                throw CommandFailure(isSilent ? .unavailable : .no, problems)
            }
            return CommandResult(text: text, json: ["backends": .array(nodes)])
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
            ("Canceling", capabilities.cancels ? "supported" : "not supported"),
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
        case .canceled: "created as ordered, then canceled"
        case .expires: "created as ordered; expires in a minute"
        case .notCanceled: "created as ordered, but not canceled"
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
