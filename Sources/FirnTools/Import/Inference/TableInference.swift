import FirnValues

/// Infers the types of the columns from all rows of an input.
package enum TableInference {
    package struct Outcome: Sendable {
        package let columns: [ColumnDecision]
        package let rowCount: UInt64
    }

    /// Reads the whole input once.
    ///
    /// - Parameters:
    ///   - declared: the types that the user declared; unknown names are ignored.
    ///   - skipsBroken: whether invalid rows are skipped, because they are reported when they are
    ///     written.
    ///   - progress: called periodically with the number of bytes read; `false` stops reading with
    ///     an error.
    package static func run(
        _ table: TableReader, declared: [DeclaredType] = [], skipsBroken: Bool = false,
        progress: (UInt64) -> Bool = { _ in true }
    ) throws(InputError) -> Outcome {
        let names = table.columnNames
        let kinds = names.map { name in
            declared.last { $0.property == name }?.type
        }
        var evidence = Array(repeating: ColumnEvidence(), count: names.count)
        var rowCount: UInt64 = 0
        while try next(table, skipsBroken) {
            see(table.row, &evidence)
            if !declared.isEmpty { try check(table, kinds) }
            rowCount += 1
            if rowCount & 0x3FFF == 0, !progress(table.bytesRead) { throw table.endedError }
        }
        let columns = names.indices.map { index in
            if let kind = kinds[index] {
                ColumnDecision(name: names[index], evidence[index], declared: kind)
            } else {
                ColumnDecision(name: names[index], evidence[index])
            }
        }
        return Outcome(columns: columns, rowCount: rowCount)
    }

    @inline(__always)
    private static func next(
        _ table: TableReader, _ skipsBroken: Bool
    ) throws(InputError) -> Bool {
        while true {
            do throws(InputError) { return try table.next() } catch {
                guard skipsBroken, table.isAtRow else { throw error }
            }
        }
    }

    @inline(__always)
    private static func see(_ row: RowView, _ evidence: inout [ColumnEvidence]) {
        evidence.withUnsafeMutableBufferPointer { evidence in
            for index in evidence.indices {
                if row.isNull(index) {
                    evidence[index].seeNull()
                } else {
                    evidence[index].see(row.text(index), line: row.line)
                }
            }
        }
    }

    /// Checks that the values of columns with a declared type have that type.
    private static func check(
        _ table: TableReader, _ kinds: [PropertyType?]
    ) throws(InputError) {
        for (index, kind) in kinds.enumerated() {
            guard let kind, kind.base != .string else { continue }
            guard !table.row.isNull(index),
                DeclaredType.value(of: table.row.text(index), as: kind.base) == nil
            else { continue }
            throw table.typeError(index, kind.base)
        }
    }
}

extension TableReader {
    /// The caller stopped the reading.
    var endedError: InputError {
        InputError(.unreadable, "reading was interrupted", name: rows.name, line: rows.rowLine)
    }

    /// The error for a value of the current row that does not have the type of its column.
    func typeError(_ index: Int, _ type: ValueTag) -> InputError {
        InputError(
            .type, "not a value of type \(type.name)", name: rows.name, line: rows.rowLine,
            column: columnNames[index], excerpt: SafeText.excerpt(of: rows.text(index)),
            remedy: "--type \(columnNames[index])=String accepts every value")
    }
}
