package import FirnValues

/// One value over all rows of a result.
package struct BoundAggregate: Hashable, Sendable {
    package enum Function: String, Hashable, Sendable, CaseIterable {
        case count = "@count"
        /// Of no rows or only nulls: 0.
        case sum = "@sum"
        /// Of no rows or only nulls: null.
        case average = "@avg"
        /// Of no rows or only nulls: null.
        case minimum = "@min"
        /// Of no rows or only nulls: null.
        case maximum = "@max"
    }

    package let function: Function
    /// The column to go through, nulls left out; nil means all rows, only for `count`.
    package let column: BoundColumn?
    /// The alias, or the text of the aggregate such as `@avg.age`.
    package let name: String

    package init(function: Function, column: BoundColumn?, name: String) {
        self.function = function
        self.column = column
        self.name = name
    }

    /// The type of the result: an average is a Double, a sum, minimum or maximum is what its
    /// column is.
    package var type: PropertyType {
        switch function {
        case .count: PropertyType(.int)
        case .sum: PropertyType(column?.type.base ?? .int)
        case .average: PropertyType(.double, isOptional: true)
        case .minimum, .maximum: PropertyType(column?.type.base ?? .int, isOptional: true)
        }
    }

    /// A minimum or maximum is shown like the values of its column.
    package var display: DisplayForm? {
        switch function {
        case .count, .average: nil
        case .sum, .minimum, .maximum: column?.display
        }
    }
}
