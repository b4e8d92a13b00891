package import FirnValues

/// An aggregate: one value over all rows of a result.
package struct BoundAggregate: Hashable, Sendable {
    package typealias Function = BoundExpression.Reduction

    package let function: Function
    /// The operand, whose nulls are ignored; `nil` means all rows, only for `count`.
    ///
    /// The rows that do not pass the condition of an aggregate have null as their operand.
    package let expression: BoundExpression?
    /// The share of the values below the result of a quantile, 0 to 1; otherwise `nil`.
    package let fraction: Double?
    /// The type and display form of the operand's values.
    package let valueType: PropertyType?
    package let valueDisplay: DisplayForm?
    /// The alias, or the text of the aggregate such as `@avg.age`.
    package let name: String

    package init(
        function: Function, expression: BoundExpression?, fraction: Double? = nil,
        valueType: PropertyType?, valueDisplay: DisplayForm? = nil, name: String
    ) {
        self.function = function
        self.expression = expression
        self.fraction = fraction
        self.valueType = valueType
        self.valueDisplay = valueDisplay
        self.name = name
    }

    package init(function: Function, column: BoundColumn?, name: String) {
        self.init(
            function: function, expression: column.map { .column($0) }, valueType: column?.type,
            valueDisplay: column?.display, name: name)
    }

    /// Returns the same aggregate with another name.
    func renamed(_ name: String) -> BoundAggregate {
        BoundAggregate(
            function: function, expression: expression, fraction: fraction, valueType: valueType,
            valueDisplay: valueDisplay, name: name)
    }

    /// Returns whether both have the same values, regardless of their names.
    func computesSame(as other: BoundAggregate) -> Bool {
        renamed("") == other.renamed("")
    }

    /// The type of the result.
    package var type: PropertyType { function.type(of: valueType ?? PropertyType(.int)) }

    /// The display form: for a value that occurs among the values, the form of the values; for a
    /// sum or average, the number of places of the values.
    package var display: DisplayForm? {
        switch function {
        case .count, .distinct, .deviation, .variance: nil
        case .sum, .average, .median, .quantile: valueDisplay?.computed
        case .minimum, .maximum, .first, .last: valueDisplay
        }
    }
}

extension BoundExpression.Reduction {
    /// Returns the type of the result for values of a type.
    ///
    /// An average is a Double; a sum, minimum or maximum has the type of the values. The exceptions
    /// are the sum of Floats, which is a Double, and the average of Decimal128s, which is a
    /// Decimal128.
    func type(of values: PropertyType) -> PropertyType {
        switch self {
        case .count, .distinct: PropertyType(.int)
        case .sum where values.base == .any: PropertyType(.decimal128)
        case .sum: PropertyType(values.base == .float ? .double : values.base)
        case .average where values.base == .any: PropertyType(.decimal128, isOptional: true)
        case .average, .median, .quantile:
            PropertyType(values.base == .decimal128 ? .decimal128 : .double, isOptional: true)
        case .deviation, .variance: PropertyType(.double, isOptional: true)
        case .minimum, .maximum, .first, .last:
            PropertyType(values.base, isOptional: true, integerWidth: values.integerWidth)
        }
    }
}
