import ServiceSetup
import Contracts

extension BackendName {
    init(argument text: String) throws(CommandFailure) {
        guard let name = BackendName(text) else {
            throw CommandFailure(.usage, "a node's name has 1 to 64 of a-z 0-9 - _")
        }
        self = name
    }
}
