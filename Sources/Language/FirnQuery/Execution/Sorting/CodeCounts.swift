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
    /// Rows with adjacent codes.
    struct Range: Equatable {
        var codes: ClosedRange<UInt64>
        var rowCount: Int
        /// The number of rows with smaller codes.
        var countBefore: Int
    }

    /// The rows in a range.
    private struct Bucket {
        var rowCount = 0
        /// The smallest and the largest known codes of the rows.
        var least = UInt64.max
        var greatest: UInt64 = 0

        @inline(__always)
        mutating func add(_ codes: ClosedRange<UInt64>, rowCount added: Int) {
            rowCount &+= added
            least = min(least, codes.lowerBound)
            greatest = max(greatest, codes.upperBound)
        }

        mutating func merge(_ other: Bucket) {
            guard other.rowCount > 0 else { return }
            add(other.least...other.greatest, rowCount: other.rowCount)
        }
    }

    private static let rangeCountMax: UInt64 = 1 << 14

    private let codes: ClosedRange<UInt64>
    private let key: BoundSortKey
    private let conditions: [KeyRange]
    private let evaluator: ExpressionEvaluator
    private let shift: UInt64
    private var buckets: [Bucket]
    private var below = Bucket()
    private var above = Bucket()

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
        buckets = Array(repeating: Bucket(), count: Int(distance >> shift) + 1)
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        guard case .run(let all) = batch, let run = try evaluator.rows(of: all, in: conditions)
        else { return }
        let bounds = try evaluator.source.codes(of: key, in: run.group)
        if let number = bucketNumber(of: bounds) {
            buckets[number].add(bounds, rowCount: run.count)
        } else if bounds.upperBound < codes.lowerBound {
            below.add(bounds, rowCount: run.count)
        } else if bounds.lowerBound > codes.upperBound {
            above.add(bounds, rowCount: run.count)
        } else {
            add(try evaluator.codes(of: key, .group(run.group, run.rows)))
        }
    }

    /// Returns the number of the bucket that contains all of the given codes.
    private func bucketNumber(of bounds: ClosedRange<UInt64>) -> Int? {
        guard codes.contains(bounds) else { return nil }
        let first = (bounds.lowerBound - codes.lowerBound) >> shift
        return (bounds.upperBound - codes.lowerBound) >> shift == first ? Int(first) : nil
    }

    private mutating func add(_ added: [UInt64]) {
        let (least, shift) = (codes.lowerBound, shift)
        let distanceMax = codes.upperBound - least
        buckets.withUnsafeMutableBufferPointer { buckets in
            for code in added {
                let distance = code &- least
                if distance <= distanceMax {
                    buckets[Int(truncatingIfNeeded: distance &>> shift)]
                        .add(code...code, rowCount: 1)
                } else if code < least {
                    below.add(code...code, rowCount: 1)
                } else {
                    above.add(code...code, rowCount: 1)
                }
            }
        }
    }

    mutating func merge(_ later: CodeCounts) {
        for index in buckets.indices { buckets[index].merge(later.buckets[index]) }
        below.merge(later.below)
        above.merge(later.above)
    }

    /// Returns the smallest known range with all rows at some positions of the order.
    ///
    /// Positions past the last row have no effect.
    ///
    /// - Returns: `nil` if no row has one of the positions.
    func range(of positions: Swift.Range<Int>) -> Range? {
        var found: Range?
        var end = 0
        for bucket in [below] + buckets + [above] where bucket.rowCount > 0 {
            let start = end
            end += bucket.rowCount
            guard start < positions.upperBound, end > positions.lowerBound else { continue }
            if let first = found {
                found?.codes = first.codes.lowerBound...bucket.greatest
                found?.rowCount += bucket.rowCount
            } else {
                found = Range(
                    codes: bucket.least...bucket.greatest, rowCount: bucket.rowCount,
                    countBefore: start)
            }
        }
        return found
    }
}
