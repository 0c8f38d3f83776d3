/// A fault with a sentence for people. Its cases have names for those who write Swift, which nobody else should have to read.
public protocol ReadableFault: Error {
    /// What is wrong, for whoever reads the log or the answer; no secrets are in it.
    var reason: String { get }
}

extension Error {
    /// The sentence of a fault that has one; of any other error no more than that it was not expected.
    public var readableReason: String {
        (self as? any ReadableFault)?.reason ?? "an unexpected error"
    }
}

extension CodingFault: ReadableFault {}

extension JSONFault: ReadableFault {}

extension URLFault: ReadableFault {}
