import FirnCodec
import FirnValues

/// A window that depends on the rows of each owner so far.
protocol RunningWindow {
    /// Grows to a number of owners.
    mutating func resize(to ownerCount: Int)

    /// Returns the values of rows, and adds the rows; `nil` if a sum leaves the 64-bit range.
    ///
    /// - Parameters:
    ///   - operand: the values of the operand; empty if the function has none.
    ///   - owners: the owner of each row.
    mutating func next(_ operand: ColumnVector, _ owners: [UInt32]) -> ColumnVector?
}

/// The number of each row among the rows of its owner.
struct RowNumbers: RunningWindow {
    private var counts: [Int64] = []

    mutating func resize(to ownerCount: Int) { counts.grow(to: ownerCount, with: 0) }

    mutating func next(_ operand: ColumnVector, _ owners: [UInt32]) -> ColumnVector? {
        var result = ColumnVector(zeros: .int, count: owners.count, nullsOf: [])
        for (row, owner) in owners.enumerated() {
            counts[Int(owner)] += 1
            result.ints[row] = counts[Int(owner)]
        }
        return result
    }
}

/// The number of the first of the adjacent rows of an owner that have the same value as a row.
struct RowRanks: RunningWindow {
    private var counts: [Int64] = []
    private var ranks: [Int64] = []
    private var latest: LatestValues

    /// - Parameter empty: an empty vector of operands.
    init(of empty: ColumnVector) { latest = LatestValues(of: empty) }

    mutating func resize(to ownerCount: Int) {
        counts.grow(to: ownerCount, with: 0)
        ranks.grow(to: ownerCount, with: 0)
        latest.resize(to: ownerCount)
    }

    mutating func next(_ operand: ColumnVector, _ owners: [UInt32]) -> ColumnVector? {
        // Only the values of one batch have numbers, because there can be as many as rows.
        let known = ValueNumbers(kind: operand.kind)
        let values = known.numbers(of: operand, adding: true)
        let before = known.numbers(of: latest.replace(with: operand, owners), adding: true)
        var result = ColumnVector(zeros: .int, count: owners.count, nullsOf: [])
        for row in owners.indices {
            let owner = Int(owners[row])
            counts[owner] += 1
            if counts[owner] == 1 || values[row] != before[row] { ranks[owner] = counts[owner] }
            result.ints[row] = ranks[owner]
        }
        return result
    }
}

/// The sum of the values of each owner.
struct RunningSums: RunningWindow {
    private let kind: ValueTag
    private var ints: [Int64] = []
    private var doubles: [Double] = []
    private var decimals: [Decimal128] = []

    /// - Parameter kind: the kind of the operands.
    init(kind: ValueTag) { self.kind = kind }

    mutating func resize(to ownerCount: Int) {
        switch kind {
        case .int: ints.grow(to: ownerCount, with: 0)
        case .double, .float: doubles.grow(to: ownerCount, with: 0)
        default: decimals.grow(to: ownerCount, with: Decimal128(0))
        }
    }

    mutating func next(_ operand: ColumnVector, _ owners: [UInt32]) -> ColumnVector? {
        // A null is stored as 0.
        switch kind {
        case .int:
            var result = ColumnVector(zeros: .int, count: owners.count, nullsOf: [])
            for row in owners.indices {
                let owner = Int(owners[row])
                let (sum, overflow) = ints[owner].addingReportingOverflow(operand.ints[row])
                guard !overflow else { return nil }
                ints[owner] = sum
                result.ints[row] = sum
            }
            return result
        case .double, .float:
            var result = ColumnVector(zeros: .double, count: owners.count, nullsOf: [])
            for row in owners.indices {
                doubles[Int(owners[row])] += operand.doubles[row]
                result.doubles[row] = doubles[Int(owners[row])]
            }
            return result
        default:
            var result = ColumnVector(kind: .decimal128)
            for row in owners.indices {
                let owner = Int(owners[row])
                if case .decimal128(let number) = operand.value(at: row) {
                    decimals[owner] = decimals[owner].adding(number)
                }
                result.append(.decimal128(decimals[owner]))
            }
            return result
        }
    }
}

/// The value before each row of an owner.
struct LatestValues: RunningWindow {
    /// The number of values up to which earlier ones are never dropped.
    private static let keptCountMin = 65_536

    /// Null, and values of rows; only the last value of each owner is needed.
    private var values: ColumnVector
    /// The position of each owner's last value, or the position of null if it has none.
    private var positions: [UInt32] = []

    /// - Parameter empty: an empty vector of operands.
    init(of empty: ColumnVector) {
        values = empty
        values.appendNull()
    }

    mutating func resize(to ownerCount: Int) { positions.grow(to: ownerCount, with: 0) }

    mutating func next(_ operand: ColumnVector, _ owners: [UInt32]) -> ColumnVector? {
        replace(with: operand, owners)
    }

    /// Returns the previous value for each row, and makes the values of the rows the last ones.
    mutating func replace(with newer: ColumnVector, _ owners: [UInt32]) -> ColumnVector {
        let start = UInt32(truncatingIfNeeded: values.count)
        values.append(newer)
        var before = [UInt32](repeating: 0, count: owners.count)
        for row in owners.indices {
            before[row] = positions[Int(owners[row])]
            positions[Int(owners[row])] = start + UInt32(truncatingIfNeeded: row)
        }
        let found = values.picking(before)
        dropEarlier()
        return found
    }

    /// Drops earlier values, unless they are too few to be worth the time.
    private mutating func dropEarlier() {
        guard values.count > max(Self.keptCountMin, 2 * positions.count) else { return }
        values = values.picking([0] + positions)
        for owner in positions.indices { positions[owner] = UInt32(truncatingIfNeeded: owner) + 1 }
    }
}

extension Array {
    /// Appends an element until there are enough.
    fileprivate mutating func grow(to count: Int, with element: Element) {
        append(contentsOf: repeatElement(element, count: Swift.max(0, count - self.count)))
    }
}
