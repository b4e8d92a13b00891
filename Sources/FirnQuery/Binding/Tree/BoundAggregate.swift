package import FirnValues

/// An aggregate: one value over all rows of a result.
package struct BoundAggregate: Hashable, Sendable {
    package enum Function: String, Hashable, Sendable, CaseIterable {
        case count = "@count"
        /// The sum; 0 for no rows or only nulls.
        case sum = "@sum"
        /// The average; null for no rows or only nulls.
        case average = "@avg"
        /// The minimum; null for no rows or only nulls.
        case minimum = "@min"
        /// The maximum; null for no rows or only nulls.
        case maximum = "@max"
    }

    package let function: Function
    /// The operand, whose nulls are ignored; `nil` means all rows, only for `count`.
    package let expression: BoundExpression?
    /// The type and display form of the operand's values.
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

    /// The type of the result.
    ///
    /// An average is a Double; a sum, minimum or maximum has the type of the values. The exceptions
    /// are the sum of Floats, which is a Double, and the average of Decimal128s, which is a
    /// Decimal128.
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

    /// The display form: that of the values for a minimum or maximum, and the number of places of
    /// the values for a sum or average.
    package var display: DisplayForm? {
        switch function {
        case .count: nil
        case .sum, .average: valueDisplay?.computed
        case .minimum, .maximum: valueDisplay
        }
    }
}
