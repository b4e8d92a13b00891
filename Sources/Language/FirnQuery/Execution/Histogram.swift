import FirnCodec
import FirnValues

/// Counts the values in each bucket of their range.
///
/// Buckets have equal width. Integers and the seconds of dates are counted exactly. Buckets of
/// dates that are longer than a minute, an hour or a day begin and end at whole minutes, hours or
/// days. For all other numbers, the last bucket includes its upper bound.
struct Histogram {
    /// The range of the values.
    private enum Range {
        case whole(ClosedRange<Int64>)
        case real(ClosedRange<Double>)
    }

    /// The units that buckets of dates are aligned to, in seconds.
    private static let dateUnits: [UInt64] = [86_400, 3_600, 60, 1]

    /// 9999-12-31T23:59:59Z, the last date that has a text form.
    private static let lastShownSecond: Int64 = 253_402_300_799

    private let bucketCount: Int
    private let kind: ValueTag
    private let isDateOnly: Bool
    private var range: Range?
    /// The lower bound of the first bucket and the width of each bucket, for integers.
    ///
    /// The width is never 0.
    private var first: Int64 = 0
    private var width: UInt64 = 1
    /// The lower bounds of all buckets and the upper bound of the last, for other numbers.
    private var edges: [Double] = []
    private(set) var counts: [Int64] = []
    /// The number of values that belong to no bucket: nulls, infinities and NaN.
    private(set) var otherCount: Int64 = 0

    /// Creates a histogram without a range.
    ///
    /// - Parameters:
    ///   - kind: the kind of the values.
    ///   - isDateOnly: whether the values are whole days.
    init(bucketCount: Int, of kind: ValueTag, isDateOnly: Bool = false) {
        self.bucketCount = bucketCount
        self.kind = kind
        self.isDateOnly = isDateOnly
    }

    // MARK: First pass

    /// Extends the range to include the values, and counts the values that belong to no bucket.
    mutating func widen(to vector: ColumnVector) {
        for row in 0..<vector.count {
            if let whole = vector.whole(at: row) {
                guard case .whole(let known)? = range else {
                    range = .whole(whole...whole)
                    continue
                }
                if !known.contains(whole) {
                    range = .whole(min(known.lowerBound, whole)...max(known.upperBound, whole))
                }
            } else if let real = vector.real(at: row) {
                guard case .real(let known)? = range else {
                    range = .real(real...real)
                    continue
                }
                if !known.contains(real) {
                    range = .real(min(known.lowerBound, real)...max(known.upperBound, real))
                }
            } else {
                otherCount += 1
            }
        }
    }

    /// Divides the range into buckets, which ends the first pass.
    mutating func divide() {
        switch range {
        case nil: break
        case .whole(let range)?:
            divide(range)
            let last = first...max(first, range.upperBound)
            // The width of a single bucket over the whole range exceeds 64 bits.
            let isOne = width == .max
            counts = Array(
                repeating: 0, count: isOne ? 1 : Int(clamping: last.span / width) + 1)
        case .real(let range)?:
            edges =
                range.lowerBound == range.upperBound
                ? [range.lowerBound, range.upperBound] : edges(range)
            counts = Array(repeating: 0, count: edges.count - 1)
        }
    }

    // MARK: Second pass

    /// Counts values into their buckets.
    mutating func add(_ vector: ColumnVector) {
        for row in 0..<vector.count {
            guard let index = index(of: vector, row), counts.indices.contains(index) else {
                continue
            }
            counts[index] += 1
        }
    }

    private func index(of vector: ColumnVector, _ row: Int) -> Int? {
        switch range {
        case nil: return nil
        case .whole?:
            guard let whole = vector.whole(at: row) else { return nil }
            let index = (first...max(whole, first)).span / width
            return min(Int(clamping: index), counts.count - 1)
        case .real?:
            guard let real = vector.real(at: row) else { return nil }
            return bucket(of: real)
        }
    }

    /// Returns the last bucket whose lower bound does not exceed a number.
    private func bucket(of real: Double) -> Int {
        var (low, high) = (0, counts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if edges[middle] <= real { low = middle } else { high = middle }
        }
        return low
    }

    /// Chooses the width so that the number of buckets does not exceed the requested one.
    private mutating func divide(_ range: ClosedRange<Int64>) {
        first = range.lowerBound
        width = wholeWidth(range.span)
        guard kind == .date,
            let unit = Histogram.dateUnits.first(where: { $0 <= width || isDateOnly }), unit > 1
        else { return }
        // Rounds down, for dates before 1970 too.
        let signed = Int64(unit)
        let rest = (first % signed + signed) % signed
        let (start, overflow) = first.subtractingReportingOverflow(rest)
        guard !overflow else { return }
        first = start
        width = wholeWidth((start...range.upperBound).span)
        let (padded, isTooWide) = width.addingReportingOverflow(unit - 1)
        if !isTooWide { width = padded / unit * unit }
    }

    private func wholeWidth(_ span: UInt64) -> UInt64 {
        let (width, overflow) = (span / UInt64(bucketCount)).addingReportingOverflow(1)
        return overflow ? .max : width
    }

    /// Returns the lower bounds of all buckets and the upper bound of the last, ascending.
    private func edges(_ range: ClosedRange<Double>) -> [Double] {
        let (low, high) = (range.lowerBound, range.upperBound)
        let span = high - low
        let isSpanUsable = (span * Double(bucketCount)).isFinite
        var edges: [Double] = []
        for index in 0..<bucketCount {
            let share = Double(index) / Double(bucketCount)
            // Used if the span exceeds the range of a Double.
            let mean = low * (1 - share) + high * share
            let edge =
                isSpanUsable ? low + span * Double(index) / Double(bucketCount) : mean
            edges.append(min(high, max(edge, edges.last ?? low)))
        }
        return edges + [high]
    }

    // MARK: Buckets

    /// The lower and upper bound of each bucket.
    ///
    /// The upper bound of an integer bucket is its last integer. That of a date bucket is the start
    /// of the next bucket.
    var bounds: [(from: Value, to: Value)] {
        switch range {
        case nil: return []
        case .whole(let range)?:
            return counts.indices.map { index in
                let first = first &+ Int64(bitPattern: UInt64(index) &* width)
                guard kind == .date else {
                    let last = first &+ Int64(bitPattern: width &- 1)
                    return (
                        .int(first),
                        .int(index == counts.count - 1 ? range.upperBound : last)
                    )
                }
                let (next, overflow) = first.addingReportingOverflow(Int64(clamping: width))
                // After the last date that has a text form, there may be no date to use as the
                // upper bound.
                let isTooLate = overflow || next > max(Histogram.lastShownSecond, range.upperBound)
                return (
                    .date(Timestamp(seconds: first, nanoseconds: 0)),
                    .date(
                        Timestamp(seconds: isTooLate ? range.upperBound : next, nanoseconds: 0))
                )
            }
        case .real?: return zip(edges, edges.dropFirst()).map { (.double($0), .double($1)) }
        }
    }
}

extension ClosedRange<Int64> {
    /// The distance between the bounds, which may exceed the range of Int64.
    fileprivate var span: UInt64 { UInt64(bitPattern: upperBound &- lowerBound) }
}

extension ColumnVector {
    /// Returns an integer or the seconds of a date; `nil` for null and for other kinds.
    fileprivate func whole(at row: Int) -> Int64? {
        guard kind == .int || kind == .date, !isNull(row) else { return nil }
        return ints[row]
    }

    /// Returns a finite number; `nil` for any other value.
    func real(at row: Int) -> Double? {
        guard !isNull(row) else { return nil }
        let number: Double?
        switch kind {
        case .int: number = Double(ints[row])
        case .float, .double: number = doubles[row]
        case .decimal128:
            if case .decimal128(let decimal) = value(at: row) {
                number = Double(decimal.description)
            } else {
                number = nil
            }
        default: number = nil
        }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }
}
