/// An optional of some type.
public protocol OptionalProtocol {
    /// What it is an optional of.
    associatedtype Wrapped
}

extension Optional: OptionalProtocol {}
