import Logging

extension Logger.Metadata {
    /// The same with a repeat count, unless that is 1.
    func repeated(_ times: Int) -> Logger.Metadata {
        times == 1 ? self : merging(["times": "\(times)"]) { $1 }
    }
}
