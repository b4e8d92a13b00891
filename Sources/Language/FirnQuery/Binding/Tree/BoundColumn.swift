package import FirnEngine
package import FirnValues

/// A column with one value per object.
package enum BoundColumn: Hashable, Sendable {
    case property(PropertySchema)
    /// `@id`: the row id of the object as an Int, never null.
    case rowID
    /// A result column of the preceding `group`, by its index.
    case output(Int, name: String, type: PropertyType, display: DisplayForm?)

    /// The name in query texts and results.
    package var name: String {
        switch self {
        case .property(let property): property.name
        case .rowID: "@id"
        case .output(_, let name, _, _): name
        }
    }

    package var type: PropertyType {
        switch self {
        case .property(let property): property.type
        case .rowID: PropertyType(.int)
        case .output(_, _, let type, _): type
        }
    }

    /// The display form of the values at their origin.
    package var display: DisplayForm? {
        switch self {
        case .property(let property): property.display
        case .rowID: nil
        case .output(_, _, _, let display): display
        }
    }
}

/// One sort criterion.
///
/// Null is first ascending and last descending.
package struct BoundSortKey: Hashable, Sendable {
    package let expression: BoundExpression
    package let descending: Bool

    package init(_ expression: BoundExpression, descending: Bool) {
        self.expression = expression
        self.descending = descending
    }

    package init(column: BoundColumn, descending: Bool) {
        self.init(.column(column), descending: descending)
    }
}

/// One column of a result.
package struct BoundProjection: Hashable, Sendable {
    package let expression: BoundExpression
    /// The alias, or the text of the expression.
    package let name: String
    /// The type of the values.
    ///
    /// For a mapped path or a collection, it is the type of the collection.
    package let type: PropertyType
    package let display: DisplayForm?

    package init(
        _ expression: BoundExpression, name: String, type: PropertyType,
        display: DisplayForm? = nil
    ) {
        self.expression = expression
        self.name = name
        self.type = type
        self.display = display
    }

    package init(column: BoundColumn, name: String) {
        self.init(.column(column), name: name, type: column.type, display: column.display)
    }
}
