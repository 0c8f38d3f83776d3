import LightningCoding

/// The result of a command, for people and for programs.
struct Outcome {
    var status = ExitStatus.ok
    /// For people.
    var page = Page()
    /// For programs, after `ok`.
    var json = JSONObject()
    /// A file for standard output, instead of the page.
    var file: [UInt8]?
}
