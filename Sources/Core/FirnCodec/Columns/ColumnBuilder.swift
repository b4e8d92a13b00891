package import FirnValues

/// Collects the values of one column of one row group, and creates a page from them.
///
/// Appending is specialized per kind and handles each value once. Decisions that depend on the
/// whole column are made when it is encoded.
package final class ColumnBuilder {
    package let kind: ValueTag
    // Exclusivity checking is disabled at run time: no method passes these to a caller's closure
    // while it changes them, and the checks would cost more than an append.
    @exclusivity(unchecked) package internal(set) var count = 0

    @exclusivity(unchecked) var nulls = NullBits()
    /// Bool, Int, and the seconds of Date.
    @exclusivity(unchecked) var ints: [Int64] = []
    /// Empty while every Date is a whole second.
    @exclusivity(unchecked) var nanoseconds: [Int32] = []
    /// Double, and Float as the double of the same value.
    @exclusivity(unchecked) var doubles: [Double] = []
    /// All kinds that are stored as bytes.
    @exclusivity(unchecked) var strings = StringCollector()

    package init(kind: ValueTag) {
        precondition(Self.holds(kind), "a column cannot have values of this kind")
        self.kind = kind
    }

    /// Returns whether columns of this version can have a kind.
    package static func holds(_ kind: ValueTag) -> Bool { kind.isColumnKind }

    package var nullCount: Int { nulls.population }

    /// The first row that is null.
    package var firstNullRow: Int? { (0..<count).first { nulls[$0] } }

    /// The uncompressed size of the values, which bounds memory and the page size of strings.
    package var byteCount: Int {
        count * 8 + nanoseconds.count * 4 + strings.byteCount + nulls.words.count * 8
    }

    package func appendNull() {
        nulls.insert(count)
        switch kind {
        case .double, .float: doubles.append(0)
        case .string, .data, .uuid, .objectID, .decimal128, .any: strings.appendNull()
        default: appendInt(0)
        }
        count += 1
    }

    package func append(int value: Int64) {
        precondition(kind == .int)
        ints.append(value)
        count += 1
    }

    package func append(bool value: Bool) {
        precondition(kind == .bool)
        ints.append(value ? 1 : 0)
        count += 1
    }

    package func append(double value: Double) {
        precondition(kind == .double)
        doubles.append(value)
        count += 1
    }

    package func append(float value: Float) {
        precondition(kind == .float)
        doubles.append(Double(widening: value))
        count += 1
    }

    package func append(date value: Timestamp) {
        precondition(kind == .date)
        if value.nanoseconds != 0, nanoseconds.isEmpty {
            nanoseconds = Array(repeating: 0, count: count)
            nanoseconds.append(value.nanoseconds)
            ints.append(value.seconds)
        } else {
            appendInt(value.seconds, nanoseconds: value.nanoseconds)
        }
        count += 1
    }

    /// Appends a text.
    ///
    /// The bytes must be valid UTF-8.
    package func append(utf8 text: UnsafeBufferPointer<UInt8>) {
        precondition(kind == .string)
        strings.append(text)
        count += 1
    }

    /// Appends the bytes of a value of a kind other than String.
    ///
    /// The bytes have the form of ``Value/withColumnBytes(of:_:)``. Encoding rejects invalid ones.
    package func append(bytes value: UnsafeBufferPointer<UInt8>) {
        precondition(kind.isStoredAsBytes && kind != .string)
        strings.append(value)
        count += 1
    }

    package func append(_ value: Value) throws(CodecError) {
        switch (value, kind) {
        case (.null, _): appendNull()
        case (.bool(let value), .bool): append(bool: value)
        case (.int(let value), .int): append(int: value)
        case (.double(let value), .double): append(double: value)
        case (.float(let value), .float): append(float: value)
        case (.date(let value), .date): append(date: value)
        case (.string(var value), .string): value.withUTF8 { append(utf8: $0) }
        default:
            if kind != .string, kind.isStoredAsBytes,
                try value.withColumnBytes(of: kind, { append(bytes: $0) }) != nil
            {
                return
            }
            throw CodecError(.typeMismatch, "\(value.tag.name) in a column of \(kind.name)")
        }
    }

    /// Removes all values, and keeps the memory.
    package func removeAll() {
        count = 0
        nulls.removeAll()
        ints.removeAll(keepingCapacity: true)
        nanoseconds.removeAll(keepingCapacity: true)
        doubles.removeAll(keepingCapacity: true)
        strings.removeAll()
    }

    @inline(__always)
    func appendInt(_ value: Int64, nanoseconds rest: Int32 = 0) {
        ints.append(value)
        if !nanoseconds.isEmpty { nanoseconds.append(rest) }
    }
}
