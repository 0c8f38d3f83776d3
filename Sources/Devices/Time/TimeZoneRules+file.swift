import Platform

extension TimeZoneRules {
    /// Reads the rules of a time zone from the files of the system; nil when it has none of that name.
    public init?(named name: ZoneName, in folder: String = "/usr/share/zoneinfo") {
        let file = SharedFile(path: "\(folder)/\(name)")
        guard let contents = try? file.contents(limit: Self.maximumByteCount) else { return nil }
        try? self.init(contents)
    }
}
