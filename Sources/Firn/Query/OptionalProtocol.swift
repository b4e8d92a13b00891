/// An optional of any type.
public protocol OptionalProtocol {
    /// The type of the content.
    associatedtype Wrapped
}

extension Optional: OptionalProtocol {}
