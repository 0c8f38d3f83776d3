import Bolt11

extension Bolt11Fault {
    var explanation: String { reason }
}
