package import BackendContract
package import LoopbackServer

extension FakeHTTPServer {
    /// Treats calls as in that trouble, or well.
    ///
    /// - Parameter denial: what this node answers to credentials that it does not accept.
    package func set(_ trouble: NodeTrouble?, denial: LoopbackAnswer) {
        mode =
            switch trouble {
            case nil: .well
            case .gone: .gone
            case .breakingOff: .breakingOff
            case .silent: .silent
            case .garbage: .answering(LoopbackAnswer("<html>"))
            case .halfDocument: .answering(LoopbackAnswer(#"{"result":{"node"#))
            case .flooding: .flooding
            case .denied: .answering(denial)
            }
    }
}
