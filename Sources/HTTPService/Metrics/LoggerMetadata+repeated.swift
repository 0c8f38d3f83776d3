import Logging

extension Logger.Metadata {
    /// The same, with how often it came about since it was last said, unless that is once.
    func repeated(_ times: Int) -> Logger.Metadata {
        times == 1 ? self : merging(["times": "\(times)"]) { $1 }
    }
}
