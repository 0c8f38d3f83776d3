import ArgumentParser
import LNURL
import LightningCoding

/// What the user pasted, typed or piped in.
enum Target {
    /// The text of an argument; `-` means standard input.
    static func text(_ argument: String) throws(ToolFault) -> String {
        argument == "-" ? try Streams.readText("-") : argument
    }

    static func read(_ argument: String) throws(ToolFault) -> LNURLTarget {
        try target(text(argument))
    }

    static func target(_ text: String) throws(ToolFault) -> LNURLTarget {
        do throws(TargetFault) {
            return try LNURLTarget(text)
        } catch {
            guard Bolt12Argument(text) == nil else { throw .bolt12Text }
            throw .target(error, text)
        }
    }

    static func payURL(_ target: LNURLTarget) throws(ToolFault) -> HTTPURL {
        guard let url = target.url else { throw .notAskable }
        if let purpose = target.purpose, purpose != .pay { throw .notForPaying(purpose) }
        return url
    }

    static func url(_ text: String) throws(ToolFault) -> HTTPURL {
        let url = try rethrowing(HTTPURL(text), as: ToolFault.url)
        guard URLPolicy.allows(url) else { throw .clearnetHTTP }
        return url
    }
}

extension Millisatoshi {
    /// Parses `21sat`, `1500msat` or `0.001btc`.
    init(argument: String) throws(ToolFault) {
        self = try rethrowing(Millisatoshi(text: argument)) { ToolFault.amount($0, argument) }
    }
}

extension Network {
    static func named(_ name: String) throws -> Network {
        guard let network = Network(rawValue: name) else {
            throw ValidationError("The networks are \(allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return network
    }
}
