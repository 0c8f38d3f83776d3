import Nodes
import LightningCoding
import Contracts

extension NodeAnswer {
    /// An amount in msat; lightningd writes plain integers since v23.05.
    func amount(_ key: String) throws(BackendFault) -> Millisatoshi {
        Millisatoshi(try unsigned(key))
    }

    /// An object member, if present.
    func optionalMember(_ key: String) throws(BackendFault) -> NodeAnswer? {
        has(key) ? try member(key) : nil
    }
}
