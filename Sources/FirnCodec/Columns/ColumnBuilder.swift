package import FirnValues

/// Collects the values of one column of one row group, then makes a page of them.
///
/// Appending is concrete per kind and touches no value twice; all that depends on the whole
/// column is decided when it is encoded.
package final class ColumnBuilder {
    package let kind: ValueTag
    // Exclusivity is not checked at run time: no method hands a closure of its caller access to
    // these while it changes them, and the checks cost more than an append.
    @exclusivity(unchecked) package private(set) var count = 0

    @exclusivity(unchecked) var nulls = NullBits()
    /// Bool, Int, and the seconds of Date.
    @exclusivity(unchecked) var ints: [Int64] = []
    /// Empty while every Date is a whole second.
    @exclusivity(unchecked) var nanoseconds: [Int32] = []
    @exclusivity(unchecked) var doubles: [Double] = []
    @exclusivity(unchecked) var strings = StringCollector()

    package init(kind: ValueTag) {
        precondition(Self.holds(kind), "a column cannot have values of this kind")
        self.kind = kind
    }

    /// The kinds that columns of this version have.
    package static func holds(_ kind: ValueTag) -> Bool {
        switch kind {
        case .bool, .int, .double, .string, .date: true
        default: false
        }
    }

    package var nullCount: Int { nulls.population }

    /// The first row that is null.
    package var firstNullRow: Int? { (0..<count).first { nulls[$0] } }

    /// Bytes of the values, written out: what bounds memory and, for strings, the size of a page.
    package var byteCount: Int {
        count * 8 + nanoseconds.count * 4 + strings.byteCount + nulls.words.count * 8
    }

    package func appendNull() {
        nulls.insert(count)
        switch kind {
        case .double: doubles.append(0)
        case .string: strings.appendNull()
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

    /// Appends text; the bytes are valid UTF-8.
    package func append(utf8 text: UnsafeBufferPointer<UInt8>) {
        precondition(kind == .string)
        strings.append(text)
        count += 1
    }

    package func append(_ value: Value) throws(CodecError) {
        switch (value, kind) {
        case (.null, _): appendNull()
        case (.bool(let value), .bool): append(bool: value)
        case (.int(let value), .int): append(int: value)
        case (.double(let value), .double): append(double: value)
        case (.date(let value), .date): append(date: value)
        case (.string(var value), .string): value.withUTF8 { append(utf8: $0) }
        default:
            throw CodecError(.typeMismatch, "\(value.tag.name) in a column of \(kind.name)")
        }
    }

    /// Appends rows of a page of the same kind.
    package func append(_ page: ColumnPage, rows: UnsafeBufferPointer<UInt32>) {
        precondition(page.kind == kind)
        switch page.content {
        case .packed(let codes):
            gather(page, rows) { appendInt(codes[$0]) }
        case .pairs(let seconds, let parts):
            gather(page, rows) { row in
                if nanoseconds.isEmpty { nanoseconds = Array(repeating: 0, count: count) }
                ints.append(seconds[row])
                nanoseconds.append(Int32(truncatingIfNeeded: parts[row]))
            }
        case .decimal(let codes, let scale):
            gather(page, rows) { doubles.append(Double(codes[$0]) / scale) }
        case .fixed(let values):
            gather(page, rows) { doubles.append(values[$0]) }
        case .heap(let table):
            gather(page, rows) { strings.append(table[$0]) }
        case .dictionary(let codes, let entries):
            gather(page, rows, codes, entries)
        case .constant(let value):
            gather(page, rows, value)
        }
    }

    /// Forgets the values and keeps the memory.
    package func removeAll() {
        count = 0
        nulls.removeAll()
        ints.removeAll(keepingCapacity: true)
        nanoseconds.removeAll(keepingCapacity: true)
        doubles.removeAll(keepingCapacity: true)
        strings.removeAll()
    }

    @inline(__always)
    private func appendInt(_ value: Int64, nanoseconds rest: Int32 = 0) {
        ints.append(value)
        if !nanoseconds.isEmpty { nanoseconds.append(rest) }
    }

    @inline(__always)
    private func gather(
        _ page: ColumnPage, _ rows: UnsafeBufferPointer<UInt32>, _ append: (Int) -> Void
    ) {
        for row in rows {
            let row = Int(row)
            precondition(row < page.rowCount)
            if page.hasNull(row) {
                appendNull()
            } else {
                append(row)
                count += 1
            }
        }
    }

    /// Looks every entry of the page up only once.
    private func gather(
        _ page: ColumnPage, _ rows: UnsafeBufferPointer<UInt32>, _ codes: Lanes,
        _ entries: StringTable
    ) {
        var known = [UInt32](repeating: StringCollector.nullCode, count: entries.count)
        gather(page, rows) { row in
            let code = Int(truncatingIfNeeded: codes[row])
            if known[code] != StringCollector.nullCode, strings.isInterned {
                strings.append(code: known[code])
            } else {
                strings.append(entries[code])
                known[code] = strings.lastCode ?? StringCollector.nullCode
            }
        }
    }

    private func gather(
        _ page: ColumnPage, _ rows: UnsafeBufferPointer<UInt32>, _ constant: Value
    ) {
        switch constant {
        case .null:
            for _ in rows { appendNull() }
        case .bool(let value):
            gather(page, rows) { _ in ints.append(value ? 1 : 0) }
        case .int(let value):
            gather(page, rows) { _ in ints.append(value) }
        case .double(let value):
            gather(page, rows) { _ in doubles.append(value) }
        case .date(let value):
            gather(page, rows) { _ in
                append(date: value)
                count -= 1
            }
        case .string(var value):
            value.withUTF8 { text in gather(page, rows) { _ in strings.append(text) } }
        default: preconditionFailure("a column has no values of this kind")
        }
    }
}
