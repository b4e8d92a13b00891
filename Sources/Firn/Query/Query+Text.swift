import FirnQuery
public import Foundation

/// A type whose values are texts or bytes that have parts: strings and data.
public protocol _QueryText: RealmCollectionValue {}

extension String: _QueryText {}
extension Data: _QueryText {}
extension Optional: _QueryText where Wrapped: _QueryText & _OptionalCapable {}

/// As in `NSPredicate`, nothing contains, begins with or ends with nil or an empty text.
extension Query where T: _QueryText {
    /// Whether a text has a part.
    public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.contains, .value(value), options)
    }

    /// Whether a text has the text of another property as a part.
    public func contains<U: _QueryText>(
        _ column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> {
        comparison(.contains, column.node, options)
    }

    /// Whether a text begins so.
    public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.beginsWith, .value(value), options)
    }

    /// Whether a text begins with the text of another property.
    public func starts<U: _QueryText>(
        with column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> {
        comparison(.beginsWith, column.node, options)
    }

    /// Whether a text ends so.
    public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.endsWith, .value(value), options)
    }

    /// Whether a text ends with the text of another property.
    public func ends<U: _QueryText>(
        with column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> {
        comparison(.endsWith, column.node, options)
    }

    /// Whether a text is another one.
    public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.equal, .value(value), options)
    }

    /// Whether two properties have the same text.
    public func equals<U: _QueryText>(
        _ column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> {
        comparison(.equal, column.node, options)
    }

    /// Whether a text is not another one.
    public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.notEqual, .value(value), options)
    }

    /// Whether two properties have different texts.
    public func notEquals<U: _QueryText>(
        _ column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> {
        comparison(.notEqual, column.node, options)
    }

    /// Whether a text fits a pattern: `*` stands for anything, `?` for one character.
    public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
        comparison(.like, .value(value), caseInsensitive ? .caseInsensitive : [])
    }

    /// Whether a text fits the pattern of another property.
    public func like<U: _QueryText>(
        _ column: Query<U>, caseInsensitive: Bool = false
    ) -> Query<Bool> {
        comparison(.like, column.node, caseInsensitive ? .caseInsensitive : [])
    }
}
