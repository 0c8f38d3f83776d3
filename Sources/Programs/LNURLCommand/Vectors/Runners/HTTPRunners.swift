import Doctor
import LightningCoding
import OutboundHTTP

extension VectorRunner {
    static let http = [
        VectorRunner("http", "answer") { input in
            let step = try input.parsed("step") { HTTPRule.Step(exactly: $0) }
            let fields = try input.array("headers").map { pair throws(InputFault) in
                guard let items = pair.array, items.count == 2, let name = items[0].string,
                    let value = items[1].string, let field = try? HTTPField(name, value)
                else { throw InputFault(member: "headers") }
                return field
            }
            let answer = HTTPResponse(
                status: try input.number("status"), headers: fields, body: Array(try input.text("body").utf8))
            let broken = HTTPRule.broken(by: answer, to: step)
            if let rule = broken.first { throw BrokenRule(rule: rule.rawValue) }
            return ["broken": .integer(broken.count)]
        }
    ]
}
