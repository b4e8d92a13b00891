import FirnCodec
import FirnEngine
import FirnValues

/// The numbers of rows in ranges of the codes of a sort key.
///
///     codes      |  below  |  0  |  1  |  2  |  ...  |  n  |  above  |
///                          ^ least       each range has 2^shift codes
///
/// From them, the range with the rows at some positions of the order is found, and the number of
/// rows before it.
struct CodeCounts: ScanConsumer {
    /// Rows whose codes are neighbours.
    struct Range: Equatable {
        var codes: ClosedRange<UInt64>
        var rowCount: Int
        /// The number of rows with smaller codes.
        var countBefore: Int
    }

    /// Rows on one side of the ranges.
    private struct Outliers {
        var rowCount = 0
        var codes: ClosedRange<UInt64>?

        mutating func add(_ other: ClosedRange<UInt64>, rowCount: Int) {
            self.rowCount += rowCount
            codes =
                codes.map {
                    min($0.lowerBound, other.lowerBound)...max($0.upperBound, other.upperBound)
                } ?? other
        }

        mutating func merge(_ other: Outliers) {
            if let codes = other.codes { add(codes, rowCount: other.rowCount) }
        }
    }

    private static let rangeCountMax: UInt64 = 1 << 14

    private let codes: ClosedRange<UInt64>
    private let key: BoundSortKey
    private let conditions: [KeyRange]
    private let evaluator: ExpressionEvaluator
    private let shift: UInt64
    private var counts: [Int]
    private var below = Outliers()
    private var above = Outliers()

    /// - Parameters:
    ///   - range: the codes that are divided into ranges.
    ///   - conditions: the ranges of other keys with the rows to count.
    init(_ range: KeyRange, among conditions: [KeyRange], _ evaluator: ExpressionEvaluator) {
        codes = range.codes
        key = range.key
        self.conditions = conditions
        self.evaluator = evaluator
        let distance = codes.upperBound - codes.lowerBound
        var shift: UInt64 = 0
        while distance >> shift >= Self.rangeCountMax { shift += 1 }
        self.shift = shift
        counts = Array(repeating: 0, count: Int(distance >> shift) + 1)
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        guard case .run(let all) = batch, let run = try evaluator.rows(of: all, in: conditions)
        else { return }
        let bounds = try evaluator.source.codes(of: key, in: run.group)
        if let range = singleRange(of: bounds) {
            counts[range] += run.count
        } else if bounds.upperBound < codes.lowerBound {
            below.add(bounds, rowCount: run.count)
        } else if bounds.lowerBound > codes.upperBound {
            above.add(bounds, rowCount: run.count)
        } else {
            add(try evaluator.codes(of: key, .group(run.group, run.rows)))
        }
    }

    /// Returns the number of the range that contains all of some codes.
    private func singleRange(of bounds: ClosedRange<UInt64>) -> Int? {
        guard codes.lowerBound <= bounds.lowerBound, bounds.upperBound <= codes.upperBound
        else { return nil }
        let first = (bounds.lowerBound - codes.lowerBound) >> shift
        return (bounds.upperBound - codes.lowerBound) >> shift == first ? Int(first) : nil
    }

    private mutating func add(_ added: [UInt64]) {
        let (least, shift) = (codes.lowerBound, shift)
        let distanceMax = codes.upperBound - least
        var outliers: [UInt64] = []
        counts.withUnsafeMutableBufferPointer { counts in
            for code in added {
                let distance = code &- least
                guard distance <= distanceMax else {
                    outliers.append(code)
                    continue
                }
                counts[Int(truncatingIfNeeded: distance &>> shift)] &+= 1
            }
        }
        for code in outliers {
            if code < least {
                below.add(code...code, rowCount: 1)
            } else {
                above.add(code...code, rowCount: 1)
            }
        }
    }

    mutating func merge(_ later: CodeCounts) {
        for index in counts.indices { counts[index] += later.counts[index] }
        below.merge(later.below)
        above.merge(later.above)
    }

    /// Returns the smallest known range with all rows at some positions of the order.
    ///
    /// Positions behind the last row have no effect.
    ///
    /// - Returns: `nil` if no row has one of the positions.
    func range(of positions: Swift.Range<Int>) -> Range? {
        var found: Range?
        var end = 0
        func visit(_ codes: ClosedRange<UInt64>, _ rowCount: Int) {
            let start = end
            end += rowCount
            guard rowCount > 0, start < positions.upperBound, end > positions.lowerBound
            else { return }
            guard let first = found else {
                found = Range(codes: codes, rowCount: rowCount, countBefore: start)
                return
            }
            found?.codes = first.codes.lowerBound...codes.upperBound
            found?.rowCount += rowCount
        }
        if let codes = below.codes { visit(codes, below.rowCount) }
        for (index, count) in counts.enumerated() {
            let first = codes.lowerBound + UInt64(index) << shift
            let distance = min(codes.upperBound - first, (1 << shift) - 1)
            visit(first...first + distance, count)
        }
        if let codes = above.codes { visit(codes, above.rowCount) }
        return found
    }
}
