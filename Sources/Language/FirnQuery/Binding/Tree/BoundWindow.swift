import FirnSyntax
package import FirnValues

/// A column of rows that is computed from other rows of the same result, in their current order.
package enum BoundWindowColumn: Hashable, Sendable {
    /// A value of each row before the stage.
    case input(BoundProjection)
    /// A value that only determines which rows belong together, and that is not kept.
    case key(BoundProjection)
    case window(BoundWindow)

    package var name: String {
        switch self {
        case .input(let input), .key(let input): input.name
        case .window(let window): window.name
        }
    }

    /// The function of an aggregate; `nil` for other columns.
    var aggregateFunction: BoundAggregate.Function? {
        guard case .window(let window) = self, case .aggregate(let function, _) = window.function
        else { return nil }
        return function
    }

    package var type: PropertyType {
        switch self {
        case .input(let input), .key(let input): input.type
        case .window(let window): window.type
        }
    }

    package var display: DisplayForm? {
        switch self {
        case .input(let input), .key(let input): input.display
        case .window(let window): window.display
        }
    }
}

/// A value that depends on other rows: on all rows, or on the rows with equal keys.
package struct BoundWindow: Hashable, Sendable {
    package enum Function: Hashable, Sendable {
        /// The number of the row, from 1.
        case row
        /// The number of the first of the adjacent rows with an equal operand.
        case rank
        /// The sum of the operands up to the row.
        case running
        /// The operand of the previous row; null for the first row.
        case previous
        /// An aggregate of all rows.
        case aggregate(BoundAggregate.Function, fraction: Double?)

        /// The functions by name, other than aggregates.
        static let named: TextMap<Function> = [
            "@row": .row, "@rank": .rank, "@running": .running, "@previous": .previous,
        ]
    }

    package let function: Function
    /// The column of the operand, which is an input; `nil` if there is none.
    package let operand: Int?
    /// The columns of the keys, which are keys or inputs.
    package let keys: [Int]
    package let valueType: PropertyType?
    package let valueDisplay: DisplayForm?
    /// The text in canonical form.
    package let name: String

    package var type: PropertyType {
        let values = valueType ?? PropertyType(.int)
        switch function {
        case .row, .rank: return PropertyType(.int)
        case .running: return BoundAggregate.Function.sum.type(of: values)
        case .previous: return BoundAggregate.Function.first.type(of: values)
        case .aggregate(let function, _): return function.type(of: values)
        }
    }

    package var display: DisplayForm? {
        switch function {
        case .row, .rank: nil
        case .running: valueDisplay?.computed
        case .previous: valueDisplay
        case .aggregate(let function, _):
            BoundAggregate(
                function: function, expression: nil, valueType: valueType,
                valueDisplay: valueDisplay, name: ""
            ).display
        }
    }
}

extension BoundWindow {
    /// Returns the value in canonical form.
    ///
    /// - Parameter input: returns the text of an input.
    func text(_ input: (Int) -> String) -> String {
        let by = keys.isEmpty ? "" : "BY " + keys.map(input).joined(separator: ", ")
        var word = ""
        var arguments = operand.map(input) ?? ""
        switch function {
        case .row: word = "@row"
        case .rank: word = "@rank"
        case .running: word = "@running"
        case .previous: word = "@previous"
        case .aggregate(let function, let fraction):
            word = function.rawValue
            if let fraction { arguments += ", " + Canonical.literal(.double(fraction)) }
        }
        if !by.isEmpty { arguments += arguments.isEmpty ? by : " " + by }
        return arguments.isEmpty ? word : "\(word)(\(arguments))"
    }
}

extension BoundWindowColumn: CustomStringConvertible {
    /// The column in canonical form.
    package var description: String {
        switch self {
        case .input(let input), .key(let input): input.description
        case .window(let window): window.name
        }
    }
}

extension BoundWindow {
    /// Returns the aggregate over the rows that belong together; `nil` if the order of rows
    /// matters.
    ///
    /// - Parameter columns: the columns of the stage.
    func aggregate(of columns: [BoundWindowColumn]) -> BoundAggregate? {
        guard case .aggregate(let function, let fraction) = function,
            function != .first, function != .last
        else { return nil }
        return BoundAggregate(
            function: function, expression: operand.flatMap { columns[$0].projection?.expression },
            fraction: fraction, valueType: valueType, valueDisplay: valueDisplay, name: name)
    }
}

extension BoundWindowColumn {
    /// The value of each row before the stage; `nil` for a value that depends on other rows.
    var projection: BoundProjection? {
        switch self {
        case .input(let input), .key(let input): input
        case .window: nil
        }
    }
}
