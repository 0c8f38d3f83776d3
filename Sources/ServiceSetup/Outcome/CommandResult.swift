package import LightningCoding

/// What a command has to say when all went well.
package struct CommandResult: Sendable {
    /// For people.
    package let text: String
    /// For programs: one object.
    package let json: JSONValue

    /// Says the same to people and to programs.
    package init(text: String, json: JSONValue) {
        self.text = text
        self.json = json
    }
}
