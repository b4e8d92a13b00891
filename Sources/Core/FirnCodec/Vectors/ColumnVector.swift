package import FirnValues

/// The decoded values of one column, as used by operators and writers.
///
/// Exactly one of the storages is used, depending on `kind`:
///
///     bool, int       ints[i]                     (bool: 0 or 1)
///     float, double   doubles[i]                  (float: the double of the same value)
///     date            ints[i] seconds, nanoseconds[i]
///     string          bytes[offsets[i] ..< offsets[i + 1]], UTF-8
///     data, uuid, objectID, decimal128, any
///                     the same, in the form of ``Value/withColumnBytes(of:_:)``
///     list, set       children[0], rows offsets[i] ..< offsets[i + 1]
///     map             the same for the values; the keys are the same rows of children[1]
///
/// A null has its bit set in `nulls`, and a zero or empty value in the storage. A link is the row
/// id of its target as an int; the class is in the schema.
///
/// It is public because the compiler inlines no package function into another module.
public struct ColumnVector: Sendable {
    package let kind: ValueTag
    package var count = 0
    /// The nulls: bit i of word i / 64; empty while there is no null.
    public var nulls: [UInt64] = []
    package var ints: [Int64] = []
    package var nanoseconds: [Int32] = []
    package var doubles: [Double] = []
    package var offsets: [UInt32] = [0]
    package var bytes: [UInt8] = []
    /// The elements of all collections, and the keys of maps; empty for every other kind.
    package var children: [ColumnVector] = []

    package init(kind: ValueTag) {
        precondition(kind.isColumnKind, "a vector of collections needs a vector of elements")
        self.kind = kind
    }

    /// Creates an empty vector.
    ///
    /// - Parameter children: an empty vector for the elements of collections, followed by one of
    ///   strings for the keys of maps; empty for other kinds.
    package init(kind: ValueTag, children: [ColumnVector]) {
        let count = kind.isCollection ? (kind == .map ? 2 : 1) : 0
        precondition(children.count == count, "children that this kind of vector has not")
        precondition(kind.isCollection || kind.isColumnKind)
        precondition(children.allSatisfy { $0.count == 0 })
        precondition(kind != .map || children[1].kind == .string)
        self.kind = kind
        self.children = children
    }

    /// Returns whether a row is null.
    @inlinable
    public func isNull(_ row: Int) -> Bool {
        row >> 6 < nulls.count && nulls[row >> 6] >> UInt64(row & 63) & 1 == 1
    }

    /// Returns the value of a row.
    ///
    /// Not for hot code.
    package func value(at row: Int) -> Value {
        if isNull(row) { return .null }
        switch kind {
        case .bool: return .bool(ints[row] != 0)
        case .int: return .int(ints[row])
        case .float, .double: return PageContent.value(doubles[row], kind: kind)
        case .date:
            return .date(Timestamp(seconds: ints[row], nanoseconds: Int64(nanoseconds[row])))
        case .string, .data, .uuid, .objectID, .decimal128, .any:
            return bytes.withUnsafeBufferPointer { bytes in
                Value(
                    columnBytes: UnsafeBufferPointer(rebasing: bytes[range(row)]), kind: kind)
            }
        case .list: return .list(elements(range(row)))
        case .set: return .set(elements(range(row)))
        case .map:
            let keys = range(row).map { key in children[1].key(at: key) }
            return .map(
                TextMap(
                    zip(keys, elements(range(row))), uniquingKeysWith: { first, _ in first })
            )
        case .null, .link: return .null
        }
    }

    /// Returns the range of a row in `bytes` or in the children.
    func range(_ row: Int) -> Range<Int> { Int(offsets[row])..<Int(offsets[row + 1]) }

    private func elements(_ rows: Range<Int>) -> [Value] { rows.map { children[0].value(at: $0) } }

    private func key(at row: Int) -> String {
        guard case .string(let text) = value(at: row) else { return "" }
        return text
    }

    /// Removes all values, and keeps the memory.
    package mutating func removeAll() {
        count = 0
        nulls.removeAll(keepingCapacity: true)
        ints.removeAll(keepingCapacity: true)
        nanoseconds.removeAll(keepingCapacity: true)
        doubles.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        offsets.append(0)
        bytes.removeAll(keepingCapacity: true)
        for index in children.indices { children[index].removeAll() }
    }
}
