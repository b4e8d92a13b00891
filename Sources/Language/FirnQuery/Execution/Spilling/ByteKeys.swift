import FirnCodec
import FirnValues

/// The ``ByteKey`` keys of many rows, built column by column in one buffer.
struct ByteKeys {
    private var bytes: [UInt8]
    /// Key i is `bytes[starts[i]..<starts[i + 1]]`.
    private var starts: [Int]

    /// Builds the keys.
    ///
    /// - Parameter vectors: the values of the columns, each with `rowCount` rows.
    init(_ vectors: [ColumnVector], rowCount: Int) {
        let vectors = vectors.map { ByteKeys.canonical($0) }
        starts = [Int](repeating: 0, count: rowCount + 1)
        for vector in vectors { ByteKeys.addLengths(of: vector, to: &starts) }
        for row in 0..<rowCount { starts[row + 1] += starts[row] }
        bytes = [UInt8](repeating: 0, count: starts[rowCount])
        var cursors = starts
        for vector in vectors { ByteKeys.write(vector, to: &bytes, at: &cursors) }
    }

    /// Returns a vector with canonical values, if equal values of its kind can differ in their
    /// bytes.
    private static func canonical(_ vector: ColumnVector) -> ColumnVector {
        guard vector.kind == .decimal128 || vector.kind == .any else { return vector }
        var canonical = ColumnVector(kind: vector.kind)
        for row in 0..<vector.count {
            canonical.append(ByteKey.canonical(vector.value(at: row), kind: vector.kind))
        }
        return canonical
    }

    /// Visits the keys in order.
    func visit(_ body: (_ row: Int, _ key: UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for row in 0..<starts.count - 1 {
                let key = bytes[starts[row]..<starts[row + 1]]
                body(row, UnsafeRawBufferPointer(rebasing: key))
            }
        }
    }

    /// Adds the length of each row's value to the following element of `starts`.
    private static func addLengths(of vector: ColumnVector, to starts: inout [Int]) {
        let fixed = vector.kind == .date ? 13 : 9
        let areBytes = vector.kind.isStoredAsBytes
        let hasNulls = !vector.nulls.isEmpty
        starts.withUnsafeMutableBufferPointer { starts in
            vector.offsets.withUnsafeBufferPointer { offsets in
                for row in 0..<vector.count {
                    if hasNulls, vector.isNull(row) {
                        starts[row + 1] += 1
                    } else if areBytes {
                        starts[row + 1] += 9 + Int(offsets[row + 1] - offsets[row])
                    } else {
                        starts[row + 1] += fixed
                    }
                }
            }
        }
    }

    private static func write(
        _ vector: ColumnVector, to bytes: inout [UInt8], at cursors: inout [Int]
    ) {
        switch vector.kind {
        case .double, .float:
            vector.doubles.withUnsafeBufferPointer { doubles in
                write(vector, &bytes, &cursors) { row, target in
                    let bits = ByteKey.canonical(doubles[row]).bitPattern.littleEndian
                    target.storeBytes(of: bits, as: UInt64.self)
                    return 8
                }
            }
        case .string, .data, .uuid, .objectID, .decimal128, .any:
            vector.bytes.withUnsafeBytes { text in
                vector.offsets.withUnsafeBufferPointer { offsets in
                    write(vector, &bytes, &cursors) { row, target in
                        let (start, end) = (Int(offsets[row]), Int(offsets[row + 1]))
                        target.storeBytes(of: UInt64(end - start).littleEndian, as: UInt64.self)
                        if let base = text.baseAddress {
                            (target + 8).copyMemory(from: base + start, byteCount: end - start)
                        }
                        return 8 + end - start
                    }
                }
            }
        default:
            vector.ints.withUnsafeBufferPointer { ints in
                vector.nanoseconds.withUnsafeBufferPointer { nanoseconds in
                    let isDate = vector.kind == .date
                    write(vector, &bytes, &cursors) { row, target in
                        target.storeBytes(of: ints[row].littleEndian, as: Int64.self)
                        guard isDate else { return 8 }
                        (target + 8).storeBytes(of: nanoseconds[row].littleEndian, as: Int32.self)
                        return 12
                    }
                }
            }
        }
    }

    /// Writes the values of one column at the cursors.
    ///
    /// - Parameter value: writes the value of a row after its first byte, and returns its length.
    @inline(__always)
    private static func write(
        _ vector: ColumnVector, _ bytes: inout [UInt8], _ cursors: inout [Int],
        _ value: (_ row: Int, _ target: UnsafeMutableRawPointer) -> Int
    ) {
        let count = vector.count
        let hasNulls = !vector.nulls.isEmpty
        bytes.withUnsafeMutableBytes { bytes in
            cursors.withUnsafeMutableBufferPointer { cursors in
                guard let base = bytes.baseAddress else { return }
                for row in 0..<count {
                    let start = cursors[row]
                    if hasNulls, vector.isNull(row) {
                        // The byte that marks a null is already 0.
                        cursors[row] = start + 1
                    } else {
                        bytes[start] = 1
                        cursors[row] = start + 1 + value(row, base + start + 1)
                    }
                }
            }
        }
    }
}
