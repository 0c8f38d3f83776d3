import LightningCoding

/// Why a command failed. Each fault is declared once, with its name, its exit status and its sentence.
struct ToolFault: Error {
    /// The fault's stable name for programs.
    let name: String
    let status: ExitStatus
    /// The fault for people: what is wrong, and what to do if known.
    let reason: String
    /// For programs: the service's text and status, and the broken BOLT 12 rule under its name in the vectors.
    let details: JSONObject

    init(
        _ name: String, _ status: ExitStatus, _ reason: String, theirs: String? = nil, http: Int? = nil,
        rule: String? = nil
    ) {
        self.name = name
        self.status = status
        self.reason = reason
        var details: JSONObject = [:]
        details["reason"] = theirs.map { .string($0) }
        details["httpStatus"] = http.map { .integer($0) }
        details["rule"] = rule.map { .string($0) }
        self.details = details
    }

    /// The object of `--json`.
    var json: JSONObject {
        var fault: JSONObject = ["name": .string(name), "message": .string(reason)]
        fault.append(details)
        return ["ok": false, "fault": .object(fault)]
    }
}
