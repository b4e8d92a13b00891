import FirnValues

extension ColumnBuilder {
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
        case .decimal(let codes, let scale) where kind == .float:
            gather(page, rows) { row in
                doubles.append(DecimalScaling.float(codes[row], scale: scale))
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

    /// Appends rows of a dictionary page, and looks up each of its entries only once.
    private func gather(
        _ page: ColumnPage, _ rows: UnsafeBufferPointer<UInt32>, _ codes: CodeArray,
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
        if kind.isStoredAsBytes, !constant.isNull {
            page.withConstantBytes { bytes in gather(page, rows) { _ in strings.append(bytes) } }
            return
        }
        switch constant {
        case .null:
            for _ in rows { appendNull() }
        case .bool(let value):
            gather(page, rows) { _ in ints.append(value ? 1 : 0) }
        case .int(let value):
            gather(page, rows) { _ in ints.append(value) }
        case .double(let value):
            gather(page, rows) { _ in doubles.append(value) }
        case .float(let value):
            gather(page, rows) { _ in doubles.append(Double(widening: value)) }
        case .date(let value):
            gather(page, rows) { _ in
                append(date: value)
                count -= 1
            }
        default: preconditionFailure("a column has no values of this kind")
        }
    }
}
