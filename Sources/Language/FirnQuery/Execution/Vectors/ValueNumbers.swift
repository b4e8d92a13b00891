import FirnCodec
import FirnValues

/// Numbers the values of a column in the order of their first occurrence.
///
/// Values that are equal to `DISTINCT` have the same number.
final class ValueNumbers {
    static let none = IntegerNumbers.none

    /// The kind of the values.
    let kind: ValueTag
    /// Whether null has no number because it does not equal anything.
    let ignoresNull: Bool
    /// Whether NaN has no number because, for `==`, it does not equal anything; for `DISTINCT`, it
    /// equals itself.
    private let ignoresNaN: Bool
    private(set) var count: UInt32 = 0
    private var nullNumber = none
    /// Bools, Ints, Doubles and Dates in whole seconds.
    private let integers = IntegerNumbers()
    private var bytes = ByteKeySet()
    /// The numbers of the members of `bytes`.
    private var byteNumbers: [UInt32] = []

    /// The memory that the values take.
    var byteCount: Int {
        integers.byteCount + bytes.byteCount + byteNumbers.capacity * MemoryLayout<UInt32>.stride
    }

    /// Returns the memory that the values take after more are added, all of which may be new.
    ///
    /// A table that grows takes the memory of the old and of the new one, so that it is better to
    /// know before.
    func byteCount(afterAdding added: Int) -> Int {
        let inIntegers = isInteger ? added : 0
        return integers.byteCount(afterAdding: inIntegers)
            + bytes.byteCount(afterAdding: added - inIntegers)
            + byteNumbers.capacity * MemoryLayout<UInt32>.stride
    }

    private var isInteger: Bool {
        switch kind {
        case .bool, .int, .double, .float, .date: true
        default: false
        }
    }

    init(kind: ValueTag, ignoresNull: Bool = false, ignoresNaN: Bool = false) {
        self.kind = kind
        self.ignoresNull = ignoresNull
        self.ignoresNaN = ignoresNaN && kind.hasNaN
    }

    /// Makes room for a number of values in total.
    func reserve(_ total: Int) {
        if isInteger { integers.reserve(total) }
    }

    /// Returns the number of each value, or ``none``.
    ///
    /// - Parameter adding: whether new values get a number.
    func numbers(of vector: ColumnVector, adding: Bool) -> [UInt32] {
        guard vector.count > 0 else { return [] }
        guard ignoresNaN, let rows = vector.rowsWithoutNaN else {
            return allNumbers(of: vector, adding: adding)
        }
        var numbers = [UInt32](repeating: Self.none, count: vector.count)
        let found = allNumbers(of: vector.picking(rows), adding: adding)
        for (row, number) in zip(rows, found) { numbers[Int(row)] = number }
        return numbers
    }

    private func allNumbers(of vector: ColumnVector, adding: Bool) -> [UInt32] {
        guard vector.count > 0 else { return [] }
        var numbers: [UInt32]
        switch kind {
        case .bool, .int:
            numbers = vector.ints.withUnsafeBufferPointer { ints in
                self.numbers(vector, adding) { ints[$0] }
            }
        case .double, .float:
            numbers = vector.doubles.withUnsafeBufferPointer { doubles in
                self.numbers(vector, adding) {
                    Int64(bitPattern: ByteKey.canonical(doubles[$0]).bitPattern)
                }
            }
        case .date where vector.nanoseconds.allSatisfy({ $0 == 0 }):
            numbers = vector.ints.withUnsafeBufferPointer { ints in
                self.numbers(vector, adding) { ints[$0] }
            }
        case .string, .data: numbers = ownByteNumbers(of: vector, adding)
        default: numbers = byteNumbers(of: vector, adding)
        }
        return numbers
    }

    @inline(__always)
    private func numbers(
        _ vector: ColumnVector, _ adding: Bool, _ key: (Int) -> Int64
    ) -> [UInt32] {
        let hasNulls = !vector.nulls.isEmpty
        return [UInt32](unsafeUninitializedCapacity: vector.count) { numbers, filled in
            for row in 0..<vector.count {
                if hasNulls, vector.isNull(row) {
                    numbers[row] = numberOfNull(adding)
                } else if adding {
                    numbers[row] = integers.number(of: key(row), adding: count)
                    if numbers[row] == count { count += 1 }
                } else {
                    numbers[row] = integers.number(of: key(row))
                }
            }
            filled = vector.count
        }
    }

    private func numberOfNull(_ adding: Bool) -> UInt32 {
        if adding, !ignoresNull, nullNumber == Self.none {
            nullNumber = count
            count += 1
        }
        return nullNumber
    }

    /// Numbers values whose keys are their bytes.
    private func ownByteNumbers(of vector: ColumnVector, _ adding: Bool) -> [UInt32] {
        let hasNulls = !vector.nulls.isEmpty
        return vector.bytes.withUnsafeBytes { text in
            vector.offsets.withUnsafeBufferPointer { offsets in
                [UInt32](unsafeUninitializedCapacity: vector.count) { numbers, filled in
                    for row in 0..<vector.count {
                        if hasNulls, vector.isNull(row) {
                            numbers[row] = numberOfNull(adding)
                        } else {
                            let range = Int(offsets[row])..<Int(offsets[row + 1])
                            numbers[row] = number(
                                of: UnsafeRawBufferPointer(rebasing: text[range]), adding)
                        }
                    }
                    filled = vector.count
                }
            }
        }
    }

    private func byteNumbers(of vector: ColumnVector, _ adding: Bool) -> [UInt32] {
        var numbers = [UInt32](repeating: Self.none, count: vector.count)
        let hasNulls = !vector.nulls.isEmpty
        ByteKeys([vector], rowCount: vector.count).visit { row, key in
            if hasNulls, vector.isNull(row) {
                numbers[row] = numberOfNull(adding)
            } else if kind == .date, vector.nanoseconds[row] == 0 {
                numbers[row] = number(of: vector.ints[row], adding)
            } else {
                numbers[row] = number(of: key, adding)
            }
        }
        return numbers
    }

    private func number(of key: Int64, _ adding: Bool) -> UInt32 {
        guard adding else { return integers.number(of: key) }
        let number = integers.number(of: key, adding: count)
        if number == count { count += 1 }
        return number
    }

    private func number(of key: UnsafeRawBufferPointer, _ adding: Bool) -> UInt32 {
        guard adding else { return bytes.knownNumber(of: key).map { byteNumbers[$0] } ?? Self.none }
        let (index, isNew) = bytes.number(of: key)
        if isNew {
            byteNumbers.append(count)
            count += 1
        }
        return byteNumbers[index]
    }
}
