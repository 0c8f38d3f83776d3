import Platform

extension TimeZoneRules {
    /// Reads the rules of a time zone from the files of the system; nil when it has none of that name.
    public init?(named name: ZoneName, in folder: String = Self.systemFolder) {
        let file = SharedFile(path: "\(folder)/\(name)")
        guard let contents = try? file.contents(limit: Self.maximumByteCount) else { return nil }
        try? self.init(contents)
    }

    /// Where systems keep the files of time zones.
    public static let systemFolder = "/usr/share/zoneinfo"

    /// Whether the system has such files: those of many containers have none.
    public static func areInstalled(in folder: String = systemFolder) -> Bool {
        ZoneName("Europe/London").flatMap { TimeZoneRules(named: $0, in: folder) } != nil
    }
}
