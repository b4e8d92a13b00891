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
    /// What to go through, nulls left out; nil means all rows, only for `count`.
    package let expression: BoundExpression?
    /// The type and form of the values that it goes through.
    package let valueType: PropertyType?
    package let valueDisplay: DisplayForm?
    /// The alias, or the text of the aggregate such as `@avg.age`.
    package let name: String

    package init(
        function: Function, expression: BoundExpression?, valueType: PropertyType?,
        valueDisplay: DisplayForm? = nil, name: String
    ) {
        self.function = function
        self.expression = expression
        self.valueType = valueType
        self.valueDisplay = valueDisplay
        self.name = name
    }

    package init(function: Function, column: BoundColumn?, name: String) {
        self.init(
            function: function, expression: column.map { .column($0) }, valueType: column?.type,
            valueDisplay: column?.display, name: name)
    }

    /// The type of the result: an average is a Double, a sum, minimum or maximum is what its
    /// values are; the sum of Floats is a Double, the average of Decimal128s a Decimal128.
    package var type: PropertyType {
        switch function {
        case .count: PropertyType(.int)
        case .sum: PropertyType(valueType?.base == .float ? .double : valueType?.base ?? .int)
        case .average:
            PropertyType(
                valueType?.base == .decimal128 ? .decimal128 : .double, isOptional: true)
        case .minimum, .maximum: PropertyType(valueType?.base ?? .int, isOptional: true)
        }
    }

    /// A minimum or maximum is shown like the values of its column.
    package var display: DisplayForm? {
        switch function {
        case .count, .average: nil
        case .sum, .minimum, .maximum: valueDisplay
        }
    }
}
