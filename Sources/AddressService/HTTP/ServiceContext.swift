public import Hummingbird

/// What travels with a request through the routes: nothing beyond the framework's own.
public struct ServiceContext: RequestContext {
    /// The framework's part: logger with the request's id, parameters of the path.
    public var coreContext: CoreRequestContextStorage

    /// Begins a request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }
}
