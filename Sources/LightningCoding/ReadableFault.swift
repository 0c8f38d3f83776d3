/// A fault with a message for people. Names of its cases are for developers only.
public protocol ReadableFault: Error {
    /// What is wrong, for a log or a response; contains no secrets.
    var reason: String { get }
}

extension Error {
    /// The message of a readable fault; for any other error only that it was unexpected.
    public var readableReason: String {
        (self as? any ReadableFault)?.reason ?? "an unexpected error"
    }
}

extension CodingFault: ReadableFault {}

extension JSONFault: ReadableFault {}

extension URLFault: ReadableFault {}
