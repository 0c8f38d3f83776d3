/// The version of these programs and libraries: sent to servers, printed by `--version` and stored in backups.
public enum SoftwareVersion {
    /// The version (Semantic Versioning 2.0); ends in `-dev` until released, under the heading "Unreleased" of
    /// docs/CHANGELOG.md.
    public static let text = "1.0.0-dev"
}
