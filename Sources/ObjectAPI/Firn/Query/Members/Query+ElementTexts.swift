import FirnQuery
import FirnSyntax
import FirnValues

/// Queries for collections of strings and data.
///
/// A condition is satisfied if any element satisfies it. `contains(_:options:)` always has options
/// here, because `contains(_:)` tests whether the collection has an equal element.
extension Query where T: RealmCollection, T.Element.PersistedType: _QueryText {
    /// Returns a query that tests whether an element contains another string.
    public func contains(_ value: T.Element, options: StringOptions) -> Query<Bool> {
        any(.contains, value, options)
    }

    /// Returns a query that tests whether an element starts with another string.
    public func starts(with value: T.Element, options: StringOptions = []) -> Query<Bool> {
        any(.beginsWith, value, options)
    }

    /// Returns a query that tests whether an element ends with another string.
    public func ends(with value: T.Element, options: StringOptions = []) -> Query<Bool> {
        any(.endsWith, value, options)
    }

    /// Returns a query that tests whether an element is equal to another string.
    public func equals(_ value: T.Element, options: StringOptions = []) -> Query<Bool> {
        any(.equal, value, options)
    }

    /// Returns a query that tests whether an element is different from another string.
    public func notEquals(_ value: T.Element, options: StringOptions = []) -> Query<Bool> {
        any(.notEqual, value, options)
    }

    /// Returns a query that tests whether an element matches a pattern.
    ///
    /// In the pattern, `*` matches any number of characters and `?` matches one character.
    public func like(_ value: T.Element, caseInsensitive: Bool = false) -> Query<Bool> {
        any(.like, value, caseInsensitive ? .caseInsensitive : [])
    }

    private func any(
        _ operation: Comparison.Operator, _ value: T.Element, _ options: StringOptions
    ) -> Query<Bool> {
        Query<Bool>(
            .comparison(.any(node), operation, options.comparisonOptions, .value(value)))
    }
}
