import FirnCodec
import FirnEngine
import FirnValues

/// Running reductions of values, one per owner.
///
/// Owners are the rows of a batch, or groups.
///
/// Null is always ignored. NaN is ignored by minimum, maximum, median and quantile. The sum and the
/// average of the values of an Any are those of its numbers, computed as Decimal128s.
struct Accumulators {
    typealias Reduction = BoundExpression.Reduction

    let reduction: Reduction
    /// The kind of the values that are added up.
    let kind: ValueTag
    /// Whether only the numbers among values of an Any are counted.
    private let takesNumbers: Bool
    var counts: [Int]
    var integers: [Int128] = []
    var doubles: [Double] = []
    var decimals: [DecimalSum] = []
    var extremes: Extremes
    var moments = Moments()
    var samples: Samples
    private(set) var distinct: DistinctValues?

    /// - Parameter spill: the limits and files of values; `nil` to keep all in memory.
    init(
        _ reduction: Reduction, kind: ValueTag, fraction: Double? = nil, count: Int,
        spill: AggregateSpill? = nil
    ) {
        self.reduction = reduction
        takesNumbers = kind == .any && (reduction == .sum || reduction == .average)
        let kind: ValueTag = takesNumbers ? .decimal128 : kind
        self.kind = kind
        counts = []
        extremes = Extremes(reduction, kind: kind)
        samples = Samples(kind: kind, fraction: fraction ?? 0.5, spill)
        distinct = reduction == .distinct ? DistinctValues(kind: kind, spill) : nil
        resize(to: count)
    }

    init(_ aggregate: BoundAggregate, count: Int, spill: AggregateSpill? = nil) {
        self.init(
            aggregate.function, kind: aggregate.expression?.kind ?? .int,
            fraction: aggregate.fraction, count: count, spill: spill)
    }

    /// Grows to a number of owners.
    ///
    /// New owners have no values.
    mutating func resize(to count: Int) {
        let added = count - counts.count
        guard added > 0 else { return }
        counts.append(contentsOf: repeatElement(0, count: added))
        switch reduction {
        case .count, .distinct: break
        case .minimum, .maximum, .first, .last: extremes.resize(to: count)
        case .deviation, .variance: moments.resize(to: count)
        case .median, .quantile: samples.resize(to: count)
        case .sum, .average:
            if kind == .int {
                integers.append(contentsOf: repeatElement(0, count: added))
            } else if kind == .decimal128 {
                decimals.append(contentsOf: repeatElement(DecimalSum(), count: added))
            } else {
                doubles.append(contentsOf: repeatElement(0, count: added))
            }
        }
    }

    /// The memory of the results in bytes, without the memory of distinct values.
    var byteCount: Int {
        counts.allocatedByteCount + integers.allocatedByteCount + doubles.allocatedByteCount
            + decimals.allocatedByteCount + decimals.count * DecimalSum.limbByteCount
            + extremes.byteCount + moments.byteCount + samples.byteCount
    }

    /// Counts rows without reading a value.
    mutating func addCounts(_ owners: [UInt32]) { counts.count(owners) }

    /// Counts the values that are not null.
    private mutating func addCounts(of values: ColumnVector, _ owners: [UInt32]) {
        counts.count(owners)
        counts.count(owners, ofWords: values.nulls, adding: -1)
    }

    /// Counts the rows of a set.
    mutating func addCounts(_ owners: [UInt32], where rows: Bitmap) {
        counts.count(owners, ofWords: rows.words, adding: 1)
    }

    /// Whether every new value gets a number; see ``DistinctValues``.
    var numbersAll: Bool { distinct?.numbersAll ?? false }

    /// Adds values to the counts of distinct values by their numbers.
    mutating func addDistinct(_ numbers: [UInt32], owners: [UInt32]) {
        distinct?.add(numbers, owners, &counts)
    }

    mutating func add(_ values: ColumnVector, owners: [UInt32]) {
        if reduction == .distinct {
            distinct?.add(values, owners, &counts)
            return
        }
        let values = takesNumbers ? values.numbers : values
        if reduction == .count || reduction == .average { addCounts(of: values, owners) }
        switch reduction {
        case .count, .distinct: break
        case .sum, .average: addSums(values, owners)
        case .minimum, .maximum, .first, .last: extremes.add(values, owners)
        case .deviation, .variance: moments.add(values, owners)
        case .median, .quantile: samples.add(values, owners)
        }
    }

    /// Adds values to the sums of their owners.
    ///
    /// A null is stored as 0, which adds nothing.
    private mutating func addSums(_ values: ColumnVector, _ owners: [UInt32]) {
        switch kind {
        case .int: Self.add(values.ints, owners, to: &integers) { $0 += Int128($1) }
        case .double, .float: Self.add(values.doubles, owners, to: &doubles) { $0 += $1 }
        default:
            for row in 0..<values.count where !values.isNull(row) {
                guard case .decimal128(let number) = values.value(at: row) else { continue }
                decimals[Int(owners[row])].add(number)
            }
        }
    }

    /// Adds one number per row to the sum of its owner.
    @inline(__always)
    private static func add<Number, Sum>(
        _ numbers: [Number], _ owners: [UInt32], to sums: inout [Sum],
        _ add: (inout Sum, Number) -> Void
    ) {
        precondition(numbers.count == owners.count, "each number has an owner")
        numbers.withUnsafeBufferPointer { numbers in
            owners.withUnsafeBufferPointer { owners in
                sums.withUnsafeMutableBufferPointer { sums in
                    for row in numbers.indices { add(&sums[Int(owners[row])], numbers[row]) }
                }
            }
        }
    }

    /// Whether the result needs all values.
    var keepsValues: Bool { reduction == .median || reduction == .quantile }

    /// Writes values that do not fit into memory.
    mutating func makeRoom() throws(StoreError) {
        if keepsValues { try samples.makeRoom() }
        try distinct?.makeRoom()
    }

    /// Computes the results that need all values, before they are requested.
    ///
    /// - Parameter willRead: called before values are read from disk; an error ends the work.
    mutating func finish(willRead: () throws(StoreError) -> Void) throws(StoreError) {
        if keepsValues { try samples.finish(willRead: willRead) }
        try distinct?.finish(&counts, willRead: willRead)
    }

    /// Computes the results that need all values, if all of them are in memory.
    mutating func finish() {
        do throws(StoreError) {
            try finish { () throws(StoreError) in }
        } catch {
            preconditionFailure("values were written that are to stay in memory")
        }
    }

    /// Returns the results of the first owners; `nil` if a sum of Ints has left the 64-bit range.
    func column(kind: ValueTag, count: Int) -> ColumnVector? {
        var column = ColumnVector(kind: kind)
        switch reduction {
        case .count, .distinct:
            column.ints = counts.prefix(count).map { Int64($0) }
            column.count = count
        case .sum where self.kind == .double && kind == .double:
            column.doubles = Array(doubles.prefix(count))
            column.count = count
        default:
            for owner in 0..<count {
                if overflows(owner) { return nil }
                column.append(value(owner))
            }
        }
        return column
    }

    /// Returns whether a sum of Ints has left the 64-bit range.
    func overflows(_ owner: Int) -> Bool {
        reduction == .sum && kind == .int && Int64(exactly: integers[owner]) == nil
    }

    /// Returns the result for an owner; null for a sum of Ints that leaves the 64-bit range.
    func value(_ owner: Int) -> Value {
        switch reduction {
        case .count, .distinct: return .int(Int64(counts[owner]))
        case .minimum, .maximum, .first, .last: return extremes.value(owner)
        case .median, .quantile: return samples.value(owner)
        case .variance: return moments.variance(owner).map { .double($0) } ?? .null
        case .deviation:
            return moments.variance(owner).map { .double($0.squareRoot()) } ?? .null
        case .sum:
            if kind == .int { return Int64(exactly: integers[owner]).map { .int($0) } ?? .null }
            if kind == .decimal128 {
                return decimals[owner].value().map { .decimal128($0) } ?? .null
            }
            return .double(doubles[owner])
        case .average:
            let count = counts[owner]
            guard count > 0 else { return .null }
            if kind == .int { return .double(ExactQuotient.double(integers[owner], count)) }
            if kind == .decimal128 {
                return decimals[owner].value(dividedBy: count).map { .decimal128($0) } ?? .null
            }
            return .double(doubles[owner] / Double(count))
        }
    }
}

extension ColumnVector {
    /// The numbers among the values of an Any, with null in place of other values.
    fileprivate var numbers: ColumnVector {
        var numbers = ColumnVector(kind: .decimal128)
        for row in 0..<count {
            switch value(at: row) {
            case .int(let number): numbers.append(.decimal128(Decimal128(number)))
            case .float(let number): numbers.append(.decimal128(Decimal128(shortest: number)))
            case .double(let number): numbers.append(.decimal128(Decimal128(shortest: number)))
            case .decimal128(let number): numbers.append(.decimal128(number))
            default: numbers.appendNull()
            }
        }
        return numbers
    }
}

/// Averages of integers.
enum ExactQuotient {
    /// Returns the double nearest to the exact quotient.
    ///
    /// There is no intermediate rounding.
    static func double(_ sum: Int128, _ count: Int) -> Double {
        // Both are exact as doubles, so the division rounds only once.
        if let sum = Int64(exactly: sum), sum.magnitude <= 1 << 53, count <= 1 << 53 {
            return Double(sum) / Double(count)
        }
        let magnitude = sum.magnitude
        // Computes at least 64 bits of the quotient. The last bit is set if there is a remainder.
        let shift = magnitude.leadingZeroBitCount
        let (quotient, rest) = (magnitude << UInt128(shift)).quotientAndRemainder(
            dividingBy: UInt128(count))
        let whole = Double(rest == 0 ? quotient : quotient | 1)
        let scaled = whole * Double(sign: .plus, exponent: -shift, significand: 1)
        return sum < 0 ? -scaled : scaled
    }
}
