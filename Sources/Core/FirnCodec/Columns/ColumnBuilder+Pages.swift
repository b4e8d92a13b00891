import FirnValues

/// The rows of one page, to be appended to a builder in several steps.
package struct PageRows {
    fileprivate let page: ColumnPage
    /// For each entry of a dictionary page, its code in the builder, if it was appended.
    fileprivate var known: [UInt32] = []

    package init(_ page: ColumnPage) { self.page = page }

    /// Appends consecutive rows.
    package mutating func append(_ rows: Range<UInt32>, to builder: ColumnBuilder) {
        if !rows.isEmpty { builder.append(&self, rows) }
    }
}

extension ColumnBuilder {
    /// Appends rows of a page of the same kind.
    package func append(_ page: ColumnPage, rows: UnsafeBufferPointer<UInt32>) {
        var source = PageRows(page)
        append(&source, rows)
    }

    /// Appends consecutive rows of a page of the same kind.
    package func append(_ page: ColumnPage, rows: Range<UInt32>) {
        guard !rows.isEmpty else { return }
        var source = PageRows(page)
        append(&source, rows)
    }

    @inline(__always)
    fileprivate func append(_ source: inout PageRows, _ rows: some Collection<UInt32>) {
        let page = source.page
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
            gather(page, rows, codes, entries, &source.known)
        case .constant(let value):
            gather(page, rows, value)
        }
    }

    @inline(__always)
    private func gather(
        _ page: ColumnPage, _ rows: some Collection<UInt32>, _ append: (Int) -> Void
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
    @inline(__always)
    private func gather(
        _ page: ColumnPage, _ rows: some Collection<UInt32>, _ codes: CodeArray,
        _ entries: StringTable, _ known: inout [UInt32]
    ) {
        if known.isEmpty {
            known = [UInt32](repeating: StringCollector.nullCode, count: entries.count)
        }
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

    @inline(__always)
    private func gather(
        _ page: ColumnPage, _ rows: some Collection<UInt32>, _ constant: Value
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
