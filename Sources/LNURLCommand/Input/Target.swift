import LNURL
import LightningCoding

/// What the user pasted, typed or piped in.
enum Target {
    /// Reads an argument; `-` stands for standard input.
    static func read(_ argument: String) throws(ToolFault) -> LNURLTarget {
        let text = argument == "-" ? try Streams.readText("-") : argument
        do throws(TargetFault) {
            return try LNURLTarget(text)
        } catch {
            throw .target(error, text)
        }
    }

    /// The URL to ask for paying.
    static func payURL(_ target: LNURLTarget) throws(ToolFault) -> HTTPURL {
        guard let url = target.url else { throw .notAskable }
        if let purpose = target.purpose, purpose != .pay { throw .notForPaying(purpose) }
        return url
    }
}
