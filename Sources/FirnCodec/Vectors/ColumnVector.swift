package import FirnValues

/// Decoded values of one column: what operators and writers work on.
///
/// Exactly one of the storages is used, by `kind`:
///
///     bool, int    ints[i]                     (bool: 0 or 1)
///     double       doubles[i]
///     date         ints[i] seconds, nanoseconds[i]
///     string       bytes[offsets[i] ..< offsets[i + 1]], UTF-8
///
/// A null has its bit set in `nulls` and a zero or empty value in the storage.
package struct ColumnVector: Sendable {
    package let kind: ValueTag
    package var count = 0
    /// Bit i of word i / 64; empty while there is no null at all.
    package var nulls: [UInt64] = []
    package var ints: [Int64] = []
    package var nanoseconds: [Int32] = []
    package var doubles: [Double] = []
    package var offsets: [UInt32] = [0]
    package var bytes: [UInt8] = []

    package init(kind: ValueTag) { self.kind = kind }

    package func isNull(_ row: Int) -> Bool {
        row >> 6 < nulls.count && nulls[row >> 6] >> UInt64(row & 63) & 1 == 1
    }

    /// The value of a row, for everything that is not hot.
    package func value(at row: Int) -> Value {
        if isNull(row) { return .null }
        switch kind {
        case .bool: return .bool(ints[row] != 0)
        case .int: return .int(ints[row])
        case .double: return .double(doubles[row])
        case .date:
            return .date(Timestamp(seconds: ints[row], nanoseconds: Int64(nanoseconds[row])))
        case .string:
            let range = Int(offsets[row])..<Int(offsets[row + 1])
            return .string(String(decoding: bytes[range], as: UTF8.self))
        default: return .null
        }
    }

    /// Forgets the values and keeps the memory.
    package mutating func removeAll() {
        count = 0
        nulls.removeAll(keepingCapacity: true)
        ints.removeAll(keepingCapacity: true)
        nanoseconds.removeAll(keepingCapacity: true)
        doubles.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        offsets.append(0)
        bytes.removeAll(keepingCapacity: true)
    }
}
