/// The version of these programs and libraries: sent to servers, printed by `--version`, and written into backups.
public enum SoftwareVersion {
    /// The version (Semantic Versioning 2.0); `-dev` until it is released, under the heading "Unreleased" of
    /// docs/CHANGELOG.md.
    public static let text = "1.0.0-dev"
}
