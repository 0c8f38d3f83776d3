package import LightningCoding

/// What a command prints on success.
package struct CommandResult: Sendable {
    /// For people.
    package let text: String
    /// For programs: one object.
    package let json: JSONValue

    /// The same content for people and for programs.
    package init(text: String, json: JSONValue) {
        self.text = text
        self.json = json
    }
}
