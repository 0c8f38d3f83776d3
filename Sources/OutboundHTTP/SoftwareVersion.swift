/// What version these programs and libraries are: said to servers, by `--version`, and in backups.
public enum SoftwareVersion {
    /// As text.
    public static let text = "1.0"
}
