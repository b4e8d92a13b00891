import FirnCodec
import FirnValues

/// The running value of an aggregate, to which values are added and from which they are removed.
///
/// Sums of integers and doubles are exact, so removing a value restores the previous sum.
struct LiveAggregate {
    private enum State {
        case count
        case integers(Int128)
        case doubles(ExactDoubleSum)
        case decimals(DecimalSum)
        /// The extreme value, and the number of values that are equal to it.
        ///
        /// Without any equal value, all remaining values come after it in the order.
        case extreme(Value, ties: Int)
    }

    private let aggregate: BoundAggregate
    /// The number of values that are not null; for `@count` without an operand, of all rows.
    private var count = 0
    private var state: State
    /// Whether a decimal was removed whose exponent may have determined the exponent of the sum.
    private var lostDecimal = false

    init(_ aggregate: BoundAggregate) {
        self.aggregate = aggregate
        switch aggregate.function {
        case .count: state = .count
        case .minimum, .maximum: state = .extreme(.null, ties: 0)
        case .sum, .average:
            switch aggregate.expression?.kind {
            case .int?: state = .integers(0)
            case .decimal128?: state = .decimals(DecimalSum())
            default: state = .doubles(ExactDoubleSum())
            }
        case .distinct, .median, .quantile, .deviation, .variance, .first, .last:
            preconditionFailure("an aggregate without a running value")
        }
    }

    /// Returns whether a running value of the aggregate can be kept.
    static func supports(_ aggregate: BoundAggregate) -> Bool {
        switch aggregate.function {
        case .count, .minimum, .maximum: true
        case .sum, .average: aggregate.expression?.kind != .any
        case .distinct, .median, .quantile, .deviation, .variance, .first, .last: false
        }
    }

    /// Adds a row of an aggregate without an operand.
    mutating func addRow() { count += 1 }

    mutating func removeRow() { count -= 1 }

    /// Adds the value of a row.
    mutating func add(_ values: ColumnVector, _ row: Int) {
        guard !values.isNull(row) else { return }
        count += 1
        switch state {
        case .count: break
        case .integers(let sum): state = .integers(sum + Int128(values.ints[row]))
        case .doubles(var sum):
            state = .count
            sum.add(values.doubles[row])
            state = .doubles(sum)
        case .decimals(var sum):
            guard case .decimal128(let number) = values.value(at: row) else { return }
            state = .count
            sum.add(number)
            state = .decimals(sum)
        case .extreme(let extreme, let ties):
            let value = values.value(at: row)
            guard !value.isNotANumber else { return }
            let order = extreme.isNull ? wanted : value.order(relativeTo: extreme)
            if order == wanted {
                state = .extreme(value, ties: 1)
            } else if order == .equal {
                state = .extreme(extreme, ties: ties + 1)
            }
        }
    }

    /// Removes the value of a row.
    mutating func remove(_ values: ColumnVector, _ row: Int) {
        guard !values.isNull(row) else { return }
        count -= 1
        switch state {
        case .count: break
        case .integers(let sum): state = .integers(sum - Int128(values.ints[row]))
        case .doubles(var sum):
            state = .count
            sum.remove(values.doubles[row])
            state = .doubles(sum)
        case .decimals: lostDecimal = true
        case .extreme(let extreme, let ties):
            let value = values.value(at: row)
            guard !value.isNotANumber, value.order(relativeTo: extreme) == .equal else { return }
            state = .extreme(extreme, ties: ties - 1)
        }
    }

    /// Whether the value is known; if not, it must be recomputed from all rows.
    var isValid: Bool {
        if case .extreme(let extreme, let ties) = state { return extreme.isNull || ties > 0 }
        return !lostDecimal
    }

    /// The order of a new extreme value relative to the previous one.
    private var wanted: Ordering { aggregate.function == .minimum ? .less : .greater }

    /// The value; `nil` if a sum of Ints leaves the 64-bit range.
    var value: Value? {
        switch state {
        case .count: return .int(Int64(count))
        case .integers(let sum):
            if aggregate.function == .sum { return Int64(exactly: sum).map { .int($0) } }
            return count > 0 ? .double(ExactQuotient.double(sum, count)) : .null
        case .doubles(let sum):
            if aggregate.function == .sum { return .double(sum.value) }
            return count > 0 ? .double(sum.value / Double(count)) : .null
        case .decimals(let sum):
            if aggregate.function == .sum { return sum.value().map { .decimal128($0) } ?? .null }
            return sum.value(dividedBy: count).map { .decimal128($0) } ?? .null
        case .extreme(let value, _): return value
        }
    }
}
