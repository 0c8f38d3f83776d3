package import LightningCoding

/// A JSON object from a node. A fault names the member, never its value, which may be a preimage.
package typealias NodeAnswer = JSONMembers<BackendFault>

extension BackendFault: JSONMemberFault {
    /// The node's answer makes no sense: the member at that path.
    package init(member path: String, _ problem: JSONMemberProblem) {
        self = .malformedAnswer(path.isEmpty ? problem == .notAnArray ? "no list" : "no object" : path)
    }
}

extension NodeAnswer {
    package init(_ body: [UInt8], _ limits: CallLimits) throws(BackendFault) {
        try self.init(
            rethrowing(JSONValue(parsing: body, limits: limits.json)) { (fault: JSONFault) in
                BackendFault.malformedAnswer("no JSON: \(fault.reason)")
            })
    }

    /// An unsigned integer, written as a number or, as in the JSON of protocol buffers, as a string.
    package func lenientNumber(_ key: String) throws(BackendFault) -> UInt64 {
        guard case .string(let text)? = object[key] else { return try unsigned(key) }
        guard let value = UInt64(digits: text) else { throw fault(key) }
        return value
    }

    /// An amount in msat.
    package func millisatoshi(_ key: String) throws(BackendFault) -> Millisatoshi {
        let amount = Millisatoshi(try lenientNumber(key))
        guard amount <= .maximum else { throw fault(key) }
        return amount
    }

    package func satoshi(_ key: String) throws(BackendFault) -> Millisatoshi {
        guard let amount = try? Millisatoshi(satoshi: try lenientNumber(key)), amount <= .maximum else {
            throw fault(key)
        }
        return amount
    }
}
