package import FirnValues

/// The values of one column while rows are being created.
///
/// Values are read and changed in any order. They are stored in the form that takes the least work
/// until they become a page.
///
///     Bool, Int, links, seconds of Date      ints
///     Double, Float                          doubles
///     String                                 texts
///     all others                             values
package struct MutableColumn: Sendable {
    private enum Form {
        case ints
        case doubles
        case texts
        case values

        init(_ kind: ValueTag) {
            switch kind {
            case .bool, .int, .date: self = .ints
            case .double, .float: self = .doubles
            case .string: self = .texts
            default: self = .values
            }
        }
    }

    package let kind: ValueTag
    package private(set) var count = 0
    /// The class that links lead to.
    ///
    /// Only the row ids of links are stored.
    private let target: ClassID?
    private var form: Form
    /// The tag of values that ``append(taggedFrom:textByteCountMaximum:)`` accepts.
    ///
    /// It is the tag of `null`, which is never accepted, if there are none.
    private let plainTag: UInt8
    private(set) var nulls = NullBits()
    private(set) var ints: [Int64] = []
    /// Empty while every Date is a whole second.
    private(set) var nanoseconds: [Int32] = []
    private(set) var doubles: [Double] = []
    private(set) var texts = StringArena()
    private(set) var values: [Value] = []

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - kind: the kind of the values, or `list`, `set` or `map`.
    ///   - target: the target class of links, which are stored in a column of Int.
    package init(kind: ValueTag, target: ClassID? = nil) {
        self.kind = kind
        self.target = target
        form = Form(kind)
        let isPlain = [.int, .double, .date, .string].contains(kind) && target == nil
        plainTag = isPlain ? kind.rawValue : ValueTag.null.rawValue
    }

    /// Returns the memory size of each value of a kind, excluding memory that it refers to.
    package static func stride(of kind: ValueTag) -> Int {
        switch Form(kind) {
        case .ints, .doubles: 8
        case .texts: StringArena.stride
        case .values: MemoryLayout<Value>.stride
        }
    }

    package mutating func reserve(_ rowCount: Int) {
        switch form {
        case .ints: ints.reserveCapacity(rowCount)
        case .doubles: doubles.reserveCapacity(rowCount)
        case .texts: texts.reserve(rowCount)
        case .values: values.reserveCapacity(rowCount)
        }
    }

    // MARK: Values

    package mutating func append(_ value: Value) {
        switch (form, value) {
        case (.ints, .int(let number)) where kind == .int && target == nil: ints.append(number)
        case (.texts, .string(let text)): texts.append(text)
        case (.doubles, .double(let number)) where kind == .double: doubles.append(number)
        case (.ints, .bool(let truth)) where kind == .bool: ints.append(truth ? 1 : 0)
        case (.ints, .date(let time)) where kind == .date:
            ints.append(time.seconds)
            if time.nanoseconds != 0 || !nanoseconds.isEmpty { append(time.nanoseconds) }
        case (.ints, .link(let reference)) where reference.classID == target:
            ints.append(Int64(bitPattern: reference.rowID.rawValue))
        case (.doubles, .float(let number)) where kind == .float:
            doubles.append(Double(widening: number))
        case (.values, _): values.append(value)
        case (_, .null): appendNull()
        default:
            // The builder of the page rejects the value.
            becomeValues()
            values.append(value)
        }
        count += 1
    }

    /// Appends a tagged value from its bytes, if its kind is one that this column stores as numbers
    /// or texts.
    ///
    /// - Parameter textByteCountMaximum: the maximum size of a text. Longer texts are left to the
    ///   caller.
    /// - Returns: the size of a text in bytes, or 0 for a number; `nil` for any other value, of
    ///   which nothing is read.
    package mutating func append(
        taggedFrom reader: inout ByteReader, textByteCountMaximum: Int
    ) throws(CodecError) -> Int? {
        guard !reader.isAtEnd, plainTag != ValueTag.null.rawValue,
            reader.source[reader.offset] == plainTag, form != .values
        else { return nil }
        let start = reader
        _ = try reader.skip(1)
        var textByteCount = 0
        switch kind {
        case .int: ints.append(try reader.zigzag())
        case .double: doubles.append(Double(bitPattern: try reader.u64()))
        case .date:
            let seconds = try reader.zigzag()
            let rest = try reader.count(max: 999_999_999)
            guard rest == 0, nanoseconds.isEmpty else {
                reader = start
                return nil
            }
            ints.append(seconds)
        default:
            let byteCount = try reader.varint()
            guard byteCount <= UInt64(clamping: textByteCountMaximum) else {
                reader = start
                return nil
            }
            textByteCount = Int(truncatingIfNeeded: byteCount)
            texts.append(try reader.utf8(textByteCount))
        }
        count += 1
        return textByteCount
    }

    private mutating func append(_ rest: Int32) {
        if nanoseconds.isEmpty { nanoseconds = Array(repeating: 0, count: count) }
        nanoseconds.append(rest)
    }

    private mutating func appendNull() {
        nulls.insert(count)
        switch form {
        case .ints:
            ints.append(0)
            if !nanoseconds.isEmpty { nanoseconds.append(0) }
        case .doubles: doubles.append(0)
        case .texts: texts.append("")
        case .values: break
        }
    }

    package func value(at row: Int) -> Value {
        if !nulls.isEmpty, nulls[row] { return .null }
        switch form {
        case .values: return values[row]
        case .texts: return .string(texts[row])
        case .doubles: return PageContent.value(doubles[row], kind: kind)
        case .ints:
            if let target {
                return .link(
                    ObjectReference(
                        classID: target, rowID: RowID(UInt64(bitPattern: ints[row]))))
            }
            guard kind == .date, !nanoseconds.isEmpty else {
                return PageContent.value(ints[row], kind: kind)
            }
            return .date(Timestamp(seconds: ints[row], nanoseconds: Int64(nanoseconds[row])))
        }
    }

    package mutating func set(_ value: Value, at row: Int) {
        guard form != .values else {
            values[row] = value
            return
        }
        // A rare case: the value is converted by a temporary column.
        var one = MutableColumn(kind: kind, target: target)
        one.append(value)
        guard one.form == form else {
            becomeValues()
            values[row] = value
            return
        }
        if nulls[row] { nulls.remove(row) }
        if one.nulls[0] { nulls.insert(row) }
        switch form {
        case .ints:
            ints[row] = one.ints[0]
            let rest = one.nanoseconds.first ?? 0
            if rest != 0, nanoseconds.isEmpty { nanoseconds = Array(repeating: 0, count: count) }
            if !nanoseconds.isEmpty { nanoseconds[row] = rest }
        case .doubles: doubles[row] = one.doubles[0]
        case .texts: texts[row] = one.texts[0]
        case .values: break
        }
    }

    /// Modifies a value in place.
    package mutating func modify<Failure: Error>(
        at row: Int, _ body: (inout Value) throws(Failure) -> Void
    ) throws(Failure) {
        if form == .values { return try body(&values[row]) }
        var value = value(at: row)
        defer { set(value, at: row) }
        try body(&value)
    }

    /// Appends all values of another column of the same kind.
    package mutating func append(_ other: MutableColumn) {
        guard other.form == form, other.target == target, other.nanoseconds.isEmpty,
            nanoseconds.isEmpty
        else {
            for row in 0..<other.count { append(other.value(at: row)) }
            return
        }
        if !other.nulls.isEmpty {
            for row in 0..<other.count where other.nulls[row] { nulls.insert(count + row) }
        }
        switch form {
        case .ints: ints.append(contentsOf: other.ints)
        case .doubles: doubles.append(contentsOf: other.doubles)
        case .texts: texts.append(other.texts)
        case .values: values.append(contentsOf: other.values)
        }
        count += other.count
    }

    private mutating func becomeValues() {
        values = (0..<count).map { value(at: $0) }
        form = .values
        nulls.removeAll()
        ints = []
        nanoseconds = []
        doubles = []
        texts.removeAll()
    }

    // MARK: Pages

    /// Appends rows to a builder of the same kind.
    package func append(
        _ rows: UnsafeBufferPointer<UInt32>, to builder: ColumnBuilder
    ) throws(CodecError) {
        guard form != .values, builder.kind == kind else {
            for row in rows { try builder.append(columnValue(at: Int(row))) }
            return
        }
        builder.append(self, rows)
    }

    /// Returns a value in its column form.
    ///
    /// A link is the row id of its target.
    private func columnValue(at row: Int) -> Value {
        let value = value(at: row)
        guard kind == .int, case .link(let reference) = value else { return value }
        return .int(Int64(bitPattern: reference.rowID.rawValue))
    }
}

extension ColumnBuilder {
    /// Appends rows of a column that does not store its values as `Value`.
    fileprivate func append(_ column: MutableColumn, _ rows: UnsafeBufferPointer<UInt32>) {
        guard let first = rows.first, let last = rows.last else { return }
        precondition(last < column.count)
        let start = count
        count += rows.count
        if !column.nulls.isEmpty {
            for (index, row) in rows.enumerated() where column.nulls[Int(row)] {
                nulls.insert(start + index)
            }
        }
        // Rows ascend, so these are all rows between the first and the last.
        let range = Int(last) - Int(first) + 1 == rows.count ? Int(first)..<Int(last) + 1 : nil
        append(column.ints, rows, range, to: &ints)
        append(column.doubles, rows, range, to: &doubles)
        if !column.nanoseconds.isEmpty, nanoseconds.isEmpty {
            nanoseconds = Array(repeating: 0, count: start)
        }
        if !column.nanoseconds.isEmpty {
            append(column.nanoseconds, rows, range, to: &nanoseconds)
        } else if !nanoseconds.isEmpty {
            nanoseconds.append(contentsOf: repeatElement(0, count: rows.count))
        }
        guard !column.texts.isEmpty else { return }
        for row in rows {
            if column.nulls[Int(row)] {
                strings.appendNull()
            } else {
                column.texts.withUTF8(Int(row)) { strings.append($0) }
            }
        }
    }

    private func append<Element>(
        _ source: [Element], _ rows: UnsafeBufferPointer<UInt32>, _ range: Range<Int>?,
        to target: inout [Element]
    ) {
        guard !source.isEmpty else { return }
        if let range {
            target.append(contentsOf: source[range])
        } else {
            for row in rows { target.append(source[Int(row)]) }
        }
    }
}
