import BlindedPaths
import LightningCoding

extension ValueCoding<[BlindedPath]> {
    /// `...*blinded_path`, at least one
    static let blindedPaths = paths(mayBeEmpty: false)
    /// The same where the document has its own rule that there must be one.
    static let anyBlindedPaths = paths(mayBeEmpty: true)

    private static func paths(mayBeEmpty: Bool) -> ValueCoding {
        list(
            mayBeEmpty: mayBeEmpty,
            { reader throws(ValueFault) in
                try path { () throws(BlindedPathFault) in try BlindedPath(from: &reader) }
            },
            { path, writer in path.write(to: &writer) })
    }
}

extension ValueCoding<[BlindedPayinfo]> {
    /// `...*blinded_payinfo`, at least one
    static let blindedPay = list(
        { reader throws(ValueFault) in
            try path { () throws(BlindedPathFault) in try BlindedPayinfo(from: &reader) }
        },
        { payinfo, writer in payinfo.write(to: &writer) })
}

private func path<Value>(_ body: () throws(BlindedPathFault) -> Value) throws(ValueFault) -> Value {
    try rethrowing(body(), as: ValueFault.path)
}
