package import FirnCodec
package import FirnEngine
package import FirnValues

/// A condition on rows, in two-valued logic.
///
/// A row either passes or does not. `not` is the complement of the set of rows, so a row whose
/// value is null passes `NOT (x > 5)`.
///
/// Invariants: `and` and `or` have at least two operands, and no operand is of the same kind as its
/// parent. No `always` is below another node. No `not` is directly below another `not`.
package indirect enum BoundPredicate: Hashable, Sendable {
    case always(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    /// A column compared with constants that fit its type.
    ///
    /// For a numeric column, the constants are numbers of any kind; otherwise they have the kind of
    /// the column.
    case test(BoundColumn, ColumnTest)
    /// A comparison of two columns of comparable types.
    ///
    /// Null equals null. `<` and `>` never hold with a null; `<=` and `>=` hold if both are null.
    /// `!=` is the complement of `==`.
    case compareColumns(BoundColumn, ComparisonOperator, BoundColumn)
    /// The target of a single link passes; `ifNil` is the result without a target.
    case linkMatches(PropertySchema, ClassSchema, BoundPredicate, ifNil: Bool)
    /// The values of a multi-valued path compared with constants.
    case quantified(Quantifier, BoundPath, ColumnTest)
    /// The values of a path, each compared with several constants.
    ///
    /// For a path with a single value, ANY applies to this value.
    case quantifiedList(Quantifier, BoundPath, ListTest)
    /// A comparison of two single values.
    ///
    /// Nulls compare as in ``compareColumns(_:_:_:)``.
    case compare(BoundExpression, ComparisonOperator, BoundExpression)
    /// The values of a multi-valued path compared with a value.
    case compareEach(Quantifier, BoundPath, ComparisonOperator, BoundExpression)
    /// A computed value, or the value of a single-valued path, compared with constants.
    case testExpression(BoundExpression, ColumnTest)
    /// The collection has exactly these elements.
    ///
    /// For a list, the values are in its order; for a set, in the order of sets. For a map, the
    /// only supported test is whether it is empty. The condition never holds if there is no object
    /// that could have the collection.
    case isCollection(BoundPath, [Value])
    /// A text matched against a computed text: `name BEGINSWITH[c] city`.
    ///
    /// Null is LIKE, and equal to, only null.
    case match(BoundExpression, TextPattern.Kind, TextPattern.Options, BoundExpression)
    /// The texts of a multi-valued path matched against a computed text.
    case matchEach(
        Quantifier, BoundPath, TextPattern.Kind, TextPattern.Options, BoundExpression)
    /// A comparison whose sides can both have several values.
    case elements(ElementComparison)
    /// The object itself is a location inside the region; used after a link to such an object.
    case isWithin(GeoLocation, GeoRegion)
}

/// Several tests of one value, of which any or all must pass.
package struct ListTest: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case test(ColumnTest)
        case list(ListTest)
    }

    /// The quantifier: any or all.
    package let quantifier: Quantifier
    package let tests: [Part]
    /// The operator and the list, in canonical form.
    package let text: String

    package init(quantifier: Quantifier, tests: [Part], text: String) {
        self.quantifier = quantifier
        self.tests = tests
        self.text = text
    }
}
