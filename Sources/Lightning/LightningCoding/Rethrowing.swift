/// The value, or the fault of what computes it, turned into the caller's:
/// `try rethrowing(Offer(text), as: Fault.offer)`.
@inlinable
@inline(__always)
public func rethrowing<Value: ~Copyable, Fault: Error, Other: Error>(
    _ value: @autoclosure () throws(Fault) -> Value, as other: (Fault) -> Other
) throws(Other) -> Value {
    do {
        return try value()
    } catch {
        throw other(error)
    }
}

/// The value, or that fault instead of whatever what computes it throws.
@inlinable
@inline(__always)
public func rethrowing<Value: ~Copyable, Other: Error>(
    _ value: @autoclosure () throws -> Value, as other: @autoclosure () -> Other
) throws(Other) -> Value {
    do {
        return try value()
    } catch {
        throw other()
    }
}

/// The awaited value, or its fault, turned into the caller's. The other name keeps what needs no `await` from being
/// awaited in asynchronous functions.
@inlinable
@inline(__always)
nonisolated(nonsending) public func awaiting<Value: ~Copyable, Fault: Error, Other: Error>(
    _ value: @autoclosure () async throws(Fault) -> Value, as other: (Fault) -> Other
) async throws(Other) -> Value {
    do {
        return try await value()
    } catch {
        throw other(error)
    }
}

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

/// A fault whose cases are rules that vector files and programs know by name.
public protocol NamedRule {
    /// The name of the rule that was broken: that of the case, unless the case passes on another fault.
    var rule: String { get }
}

extension NamedRule {
    /// The name of the rule that the case passes on, or of the case.
    public var rule: String {
        (Mirror(reflecting: self).children.first?.value as? any NamedRule)?.rule ?? caseName
    }

    /// The name of an enumeration's case, its words in lower case and separated by hyphens: `missingPayerID` is
    /// `missing-payer-id`.
    public var caseName: String { (Mirror(reflecting: self).children.first?.label ?? "\(self)").hyphenated }
}

extension String {
    /// The words of a camel-case name, in lower case and separated by hyphens.
    public var hyphenated: String {
        var words = ""
        for index in indices {
            let next = self.index(after: index)
            let beginsWord =
                self[index].isUppercase && index != startIndex
                && (!self[self.index(before: index)].isUppercase || next != endIndex && self[next].isLowercase)
            words += (beginsWord ? "-" : "") + self[index].lowercased()
        }
        return words
    }
}

extension CodingFault: ReadableFault {}

extension JSONFault: ReadableFault {}

extension URLFault: ReadableFault {}
