import FirnQuery
import FirnSyntax
import FirnValues
public import Foundation

/// A type whose values are strings or data, which can be searched for parts.
public protocol _QueryText: RealmCollectionValue {}

extension String: _QueryText {}
extension Data: _QueryText {}
extension Optional: _QueryText where Wrapped: _QueryText & _OptionalCapable {}

/// Queries for strings and data.
///
/// As in `NSPredicate`, no value contains, starts with or ends with nil or an empty string.
extension Query where T: RealmCollectionValue, T.PersistedType: _QueryText {
    /// Returns a query that tests whether a string contains another string.
    public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.contains, .value(value), options)
    }

    /// Returns a query that tests whether a string contains the string of another property.
    public func contains<U: RealmCollectionValue>(
        _ column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> where U.PersistedType: _QueryText {
        comparison(.contains, column.node, options)
    }

    /// Returns a query that tests whether a string starts with another string.
    public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.beginsWith, .value(value), options)
    }

    /// Returns a query that tests whether a string starts with the string of another property.
    public func starts<U: RealmCollectionValue>(
        with column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> where U.PersistedType: _QueryText {
        comparison(.beginsWith, column.node, options)
    }

    /// Returns a query that tests whether a string ends with another string.
    public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.endsWith, .value(value), options)
    }

    /// Returns a query that tests whether a string ends with the string of another property.
    public func ends<U: RealmCollectionValue>(
        with column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> where U.PersistedType: _QueryText {
        comparison(.endsWith, column.node, options)
    }

    /// Returns a query that tests whether a string is equal to another string.
    public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.equal, .value(value), options)
    }

    /// Returns a query that tests whether two properties have equal strings.
    public func equals<U: RealmCollectionValue>(
        _ column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> where U.PersistedType: _QueryText {
        comparison(.equal, column.node, options)
    }

    /// Returns a query that tests whether a string is different from another string.
    public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        comparison(.notEqual, .value(value), options)
    }

    /// Returns a query that tests whether two properties have different strings.
    public func notEquals<U: RealmCollectionValue>(
        _ column: Query<U>, options: StringOptions = []
    ) -> Query<Bool> where U.PersistedType: _QueryText {
        comparison(.notEqual, column.node, options)
    }

    /// Returns a query that tests whether a string matches a pattern.
    ///
    /// In the pattern, `*` matches any number of characters and `?` matches one character.
    public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
        comparison(.like, .value(value), caseInsensitive ? .caseInsensitive : [])
    }

    /// Returns a query that tests whether a string matches the pattern of another property.
    public func like<U: RealmCollectionValue>(
        _ column: Query<U>, caseInsensitive: Bool = false
    ) -> Query<Bool> where U.PersistedType: _QueryText {
        comparison(.like, column.node, caseInsensitive ? .caseInsensitive : [])
    }
}

/// Options for comparing strings.
public struct StringOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int8

    /// Creates options from bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Ignores the difference between uppercase and lowercase letters.
    public static let caseInsensitive = StringOptions(rawValue: 1)

    /// Ignores diacritics, such as accents.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)

    var comparisonOptions: Comparison.Options {
        var options: Comparison.Options = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}
