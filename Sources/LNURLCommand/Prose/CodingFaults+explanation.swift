import LightningCoding

extension CodingFault {
    var explanation: String { reason }
}

extension URLFault {
    var explanation: String { reason }
}
