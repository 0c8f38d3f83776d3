import LightningCoding
import LNURL

extension CheckGroup {
    static let payerData = CheckGroup(
        "Payer data",
        [
            ServiceCheck(
                "payer-data-form", "payerData is an object of objects with mandatory, true or false", .must,
                Rule("LUD-18", "payerData: { name: { mandatory: boolean }, … }."), reads: [.info]
            ) { evidence throws(Skipped) in
                let value = try evidence.payerDataAsked()
                guard let object = value.object else { return .breaks("it is \(value.serialized())") }
                let wrong = object.members.filter { $0.value["mandatory"]?.bool == nil }.map(\.key)
                return wrong.isEmpty
                    ? .follows(object.members.map(\.key).joined(separator: ", "))
                    : .breaks("without mandatory: \(wrong.joined(separator: ", "))")
            },
            ServiceCheck(
                "payer-data-known", "what is mandatory is in LUD-18", .must,
                Rule("LUD-18", "A wallet must abort when it cannot give a mandatory member."), reads: [.info]
            ) { evidence throws(Skipped) in
                guard let members = try evidence.payerDataAsked().object?.members else {
                    throw Skipped("payerData is no object")
                }
                let known = PayerDataSpec.Field.allCases.map(\.rawValue)
                let unknown = members.filter { $0.value["mandatory"] == true && !known.contains($0.key) }.map(\.key)
                return unknown.isEmpty ? .follows() : .breaks(unknown.joined(separator: ", "))
            },
            ServiceCheck(
                "payer-data-challenge", "auth has a challenge of 32 bytes in hexadecimal", .must,
                Rule("LUD-18", "auth: { mandatory: boolean, k1: string }, 32 bytes in hexadecimal."), reads: [.info]
            ) { evidence throws(Skipped) in
                guard let auth = try evidence.payerDataAsked()["auth"], !auth.isNull else {
                    throw Skipped("no signature is asked for")
                }
                let bytes = auth["k1"]?.string.flatMap { try? Hexadecimal.decode($0) }
                return bytes?.count == 32 ? .follows() : .breaks("k1 is \(auth["k1"].shown)")
            },
            issued(
                .payerData, "all payer data that is asked for is accepted",
                Rule("LUD-18", "A wallet may send the members that are asked for.")),
            refused(
                .payerDataMissing, "a request without mandatory payer data is refused",
                Rule("LUD-18", "A service must reject a request without a mandatory member.")),
            refused(
                .payerDataForged, "a signature of another key is refused",
                Rule("LUD-18", "A service must verify the signature of auth.")),
        ])
}

extension Evidence {
    fileprivate func payerDataAsked() throws(Skipped) -> JSONValue {
        guard let value = try info.object()["payerData"], !value.isNull else {
            throw Skipped("no payer data is asked for")
        }
        return value
    }
}
