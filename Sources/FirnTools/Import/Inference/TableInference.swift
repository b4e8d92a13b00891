import FirnValues

/// Infers the types of the columns of one class from all rows of its tables.
package struct TableInference {
    package struct Outcome: Sendable {
        package let columns: [ColumnDecision]
        package let rowCount: UInt64
    }

    /// The options for reading the fields.
    package struct Options: Sendable {
        /// The types that the user declared; unknown names are ignored.
        package var declared: [DeclaredType] = []
        /// Whether a column has a type other than text only if every value prints again as exactly
        /// the same text.
        package var isExact = false
        /// A text that means null in every column, in addition to the empty field.
        package var nullText: String?
        /// Whether invalid rows are skipped, because they are reported when they are written.
        package var skipsBroken = false

        package init() {}
    }

    private let options: Options
    private let nullText: NullText
    private var names: [String] = []
    private var evidence: [ColumnEvidence] = []
    /// For columns with a declared type: the type, and the number of values that mean null in it.
    private var declared: [PropertyType?] = []
    private var nullWordCounts: [UInt64] = []
    private(set) var rowCount: UInt64 = 0
    /// A number in plain form.
    private var plain: [UInt8] = []

    package init(_ options: Options) {
        self.options = options
        nullText = NullText(options.nullText)
    }

    /// Reads all rows of one table.
    package static func run(
        _ table: TableReader, _ options: Options = Options(),
        progress: (UInt64) -> Bool = { _ in true }
    ) throws(InputError) -> Outcome {
        var inference = TableInference(options)
        try inference.read(table, progress: progress)
        return inference.outcome
    }

    /// Reads all rows of a further table.
    ///
    /// A column that another table lacks is null in its rows.
    ///
    /// - Parameters:
    ///   - properties: the names of the properties that the columns become; `nil` for the names in
    ///     the header.
    ///   - inputName: the name of the table in the report, if there are several.
    ///   - progress: called periodically with the number of bytes read; `false` stops reading with
    ///     an error.
    package mutating func read(
        _ table: TableReader, as properties: [String]? = nil, inputName: String? = nil,
        progress: (UInt64) -> Bool
    ) throws(InputError) {
        let indices = (properties ?? table.columnNames).map { column($0) }
        let before = rowCount
        for index in evidence.indices { evidence[index].inputName = inputName }
        let isChecking = indices.contains { declared[$0] != nil } && !options.skipsBroken
        while try next(table) {
            if let numbers = table.rows.format.numbers {
                see(table.row, indices, numbers)
            } else {
                see(table.row, indices)
            }
            if isChecking { try check(table, indices) }
            rowCount += 1
            if rowCount & 0x3FFF == 0, !progress(table.bytesRead) { throw table.endedError }
        }
        let present = Set(indices)
        for index in evidence.indices where !present.contains(index) {
            evidence[index].seeNull(rowCount - before)
        }
    }

    package var outcome: Outcome {
        let columns = names.indices.map { index in
            if let type = declared[index] {
                ColumnDecision(
                    name: names[index], evidence[index], declared: type,
                    nullWordCount: nullWordCounts[index])
            } else {
                ColumnDecision(name: names[index], evidence[index])
            }
        }
        return Outcome(columns: columns, rowCount: rowCount)
    }

    /// Returns the index of a column; a new one was null in all rows before.
    private mutating func column(_ name: String) -> Int {
        if let known = names.firstIndex(of: name) { return known }
        names.append(name)
        evidence.append(ColumnEvidence(isExact: options.isExact))
        evidence[evidence.count - 1].seeNull(rowCount)
        declared.append(options.declared.last { $0.property == name }?.type)
        nullWordCounts.append(0)
        return names.count - 1
    }

    @inline(__always)
    private func next(_ table: TableReader) throws(InputError) -> Bool {
        while true {
            do throws(InputError) { return try table.next() } catch {
                guard options.skipsBroken, table.isAtRow else { throw error }
            }
        }
    }

    @inline(__always)
    private mutating func see(_ row: RowView, _ indices: [Int]) {
        evidence.withUnsafeMutableBufferPointer { evidence in
            for (field, index) in indices.enumerated() {
                if row.isNull(field) || nullText.matches(row.text(field)) {
                    evidence[index].seeNull()
                } else {
                    evidence[index].see(row.text(field), line: row.line)
                }
            }
        }
    }

    /// Sees a row whose numbers are in another form.
    private mutating func see(_ row: RowView, _ indices: [Int], _ numbers: NumberForm) {
        for (field, index) in indices.enumerated() {
            let text = row.text(field)
            if row.isNull(field) || nullText.matches(text) {
                evidence[index].seeNull()
                continue
            }
            switch numbers.read(text, into: &plain) {
            case .plain: evidence[index].see(text, line: row.line)
            case .foreign: evidence[index].see(foreignNumber: text, numbers, line: row.line)
            case .converted:
                plain.withUnsafeBufferPointer { evidence[index].see($0, line: row.line) }
            }
        }
    }

    /// Checks that the values of columns with a declared type have that type.
    private mutating func check(_ table: TableReader, _ indices: [Int]) throws(InputError) {
        for (field, index) in indices.enumerated() {
            guard let type = declared[index], type.base != .string, !table.row.isNull(field)
            else { continue }
            let text = table.row.text(field)
            guard !nullText.matches(text),
                DeclaredType.value(of: text, as: type.base, table.rows.format.numbers) == nil
            else { continue }
            guard FieldText.isNullWord(text) else { throw table.typeError(field, type.base) }
            nullWordCounts[index] += 1
        }
    }
}

/// A text that means null in every column of a table.
struct NullText {
    private let text: [UInt8]?

    init(_ text: String?) { self.text = text.map { Array($0.utf8) } }

    @inline(__always)
    func matches(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let text else { return false }
        return field.elementsEqual(text)
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
