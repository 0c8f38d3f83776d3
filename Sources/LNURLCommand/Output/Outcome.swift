import LightningCoding

/// What a command found, for people and for programs.
struct Outcome {
    var status = ExitStatus.ok
    /// For people.
    var page = Page()
    /// For programs, behind `ok`.
    var json = JSONObject()
    /// A file for standard output, in place of the page.
    var file: [UInt8]?
}
