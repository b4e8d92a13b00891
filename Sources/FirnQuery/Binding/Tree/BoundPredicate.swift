package import FirnCodec
package import FirnEngine
package import FirnValues

/// A condition on rows, in two-valued logic: a row passes or it does not, and `not` is the
/// complement of the set of rows, so that a row whose value is null passes `NOT (x > 5)`.
///
/// Invariants: `and` and `or` have at least two operands, none of them of the same kind as the
/// parent; no `always` stands below another node; no `not` stands directly below `not`.
package indirect enum BoundPredicate: Hashable, Sendable {
    case always(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    /// A column against constants that fit its type: numbers of any kind for a numeric column,
    /// otherwise the very kind of the column.
    case test(BoundColumn, ColumnTest)
    /// Two columns of comparable types. Null equals null; `<` and `>` never hold with a null,
    /// `<=` and `>=` hold when both are null, `!=` is the complement of `==`.
    case compareColumns(BoundColumn, ComparisonOperator, BoundColumn)
    /// The object that a single link leads to passes; `ifNil` says what holds without one.
    case through(PropertySchema, ClassSchema, BoundPredicate, ifNil: Bool)
    /// Constants against the values of a multiple path.
    case quantified(Quantifier, BoundPath, ColumnTest)
    /// The values of a path, each against several constants; ANY of a path with one value is this
    /// value.
    case quantifiedList(Quantifier, BoundPath, ListTest)
    /// Single values against each other; null as ``compareColumns(_:_:_:)`` has it.
    case compare(BoundExpression, ComparisonOperator, BoundExpression)
    /// The values of a multiple path against a value.
    case compareEach(Quantifier, BoundPath, ComparisonOperator, BoundExpression)
    /// A constant against a computed value, or the value of a path that is not multiple.
    case testExpression(BoundExpression, ColumnTest)
    /// The elements of the list or set are these values: of a list in this order, of a set in the
    /// order of sets. Of a map only whether it is empty. Never holds where there is no object that
    /// could have the collection.
    case isCollection(BoundPath, [Value])
    /// A text against a text that is computed too: `name BEGINSWITH[c] city`. Null is only LIKE
    /// and equal to null.
    case match(BoundExpression, TextPattern.Kind, TextPattern.Options, BoundExpression)
    /// The texts of a multiple path against one that is computed.
    case matchEach(
        Quantifier, BoundPath, TextPattern.Kind, TextPattern.Options, BoundExpression)
    /// The object itself is a place inside of the region; it stands behind a link to such an object.
    case isWithin(GeoLocation, GeoRegion)
}

/// Several tests of one value, of which any must pass, or all.
package struct ListTest: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case test(ColumnTest)
        case list(ListTest)
    }

    /// Any or all.
    package let quantifier: Quantifier
    package let tests: [Part]
    /// The operator and the list, in their canonical form.
    package let text: String

    package init(quantifier: Quantifier, tests: [Part], text: String) {
        self.quantifier = quantifier
        self.tests = tests
        self.text = text
    }
}
