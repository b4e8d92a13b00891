package import FirnEngine
package import FirnValues

/// What every object has one value of.
package enum BoundColumn: Hashable, Sendable {
    case property(PropertySchema)
    /// `@id`: the identity of the object as an Int, never null.
    case rowID

    /// The name as query texts and results say it.
    package var name: String {
        switch self {
        case .property(let property): property.name
        case .rowID: "@id"
        }
    }

    package var type: PropertyType {
        switch self {
        case .property(let property): property.type
        case .rowID: PropertyType(.int)
        }
    }

    /// How the values were written where they came from.
    package var display: DisplayForm? {
        switch self {
        case .property(let property): property.display
        case .rowID: nil
        }
    }
}

/// One criterion of an order: null first ascending and last descending.
package struct BoundSortKey: Hashable, Sendable {
    package let column: BoundColumn
    package let descending: Bool

    package init(column: BoundColumn, descending: Bool) {
        self.column = column
        self.descending = descending
    }
}

/// One column of a result.
package struct BoundProjection: Hashable, Sendable {
    package let column: BoundColumn
    /// The alias, or the name of the column.
    package let name: String

    package init(column: BoundColumn, name: String) {
        self.column = column
        self.name = name
    }
}
