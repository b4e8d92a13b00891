import FirnEngine
package import FirnText
import FirnValues

/// Infers the types of the columns of one class from all rows of its tables.
package struct TableInference: Sendable {
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
        /// The number of rows of the parts in which threads load a table.
        package var partRowCount = StoreOptions().rowsPerGroup

        package init() {}
    }

    let options: Options
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
        let columns = begin(properties ?? table.columnNames, inputName)
        try readRows(of: table, columns, progress)
        end(columns)
    }

    /// The columns of the table that is being read.
    package struct Columns: Sendable {
        /// The index of each column of the table among all columns.
        let indices: [Int]
        /// Whether values are checked against declared types.
        let isChecking: Bool
        /// The number of rows before the table.
        let rowsBefore: UInt64
    }

    /// Begins a table with these columns.
    package mutating func begin(_ properties: [String], _ inputName: String?) -> Columns {
        let indices = properties.map { column($0) }
        for index in evidence.indices { evidence[index].inputName = inputName }
        return Columns(
            indices: indices,
            isChecking: indices.contains { declared[$0] != nil } && !options.skipsBroken,
            rowsBefore: rowCount)
    }

    /// Ends the table: the columns that it lacks were null in its rows.
    package mutating func end(_ columns: Columns) {
        let present = Set(columns.indices)
        for index in evidence.indices where !present.contains(index) {
            evidence[index].seeNull(rowCount - columns.rowsBefore)
        }
    }

    /// Reads the rows of a table up to its end.
    mutating func readRows(
        of table: TableReader, _ columns: Columns, _ progress: (UInt64) -> Bool
    ) throws(InputError) {
        while try next(table) {
            try see(table, columns)
            if rowCount & 0x3FFF == 0, !progress(table.bytesRead) { throw table.endedError }
        }
    }

    /// Examines the current row of a table.
    @inline(__always)
    mutating func see(_ table: TableReader, _ columns: Columns) throws(InputError) {
        if let numbers = table.rows.format.numbers {
            see(table.row, columns.indices, numbers)
        } else {
            see(table.row, columns.indices)
        }
        if columns.isChecking { try check(table, columns.indices) }
        rowCount += 1
    }

    /// Returns whether two states differ only in counts.
    package func differsOnlyInCounts(from other: TableInference) -> Bool {
        names == other.names
            && zip(evidence, other.evidence).allSatisfy { $0.differsOnlyInCounts(from: $1) }
    }

    /// Adds the counts since an earlier state.
    package mutating func addCounts(of other: TableInference, since start: TableInference) {
        for index in evidence.indices {
            evidence[index].addCounts(of: other.evidence[index], since: start.evidence[index])
            nullWordCounts[index] += other.nullWordCounts[index] - start.nullWordCounts[index]
        }
        rowCount += other.rowCount - start.rowCount
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

    /// Returns the index of a column; a new column counts as null in all previous rows.
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

    /// Examines a row whose numbers are in another form.
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

extension InputError {
    /// Returns the error for a caller that stopped the reading.
    package static func interrupted(_ name: String, line: UInt64) -> InputError {
        InputError(.unreadable, "reading was interrupted", name: name, line: line)
    }
}

extension TableReader {
    /// The caller stopped the reading.
    var endedError: InputError { .interrupted(rows.name, line: rows.rowLine) }

    /// Returns the error for a value of the current row that does not have the type of its column.
    func typeError(_ index: Int, _ type: ValueTag) -> InputError {
        InputError(
            .type, "not a value of type \(type.name)", name: rows.name, line: rows.rowLine,
            column: columnNames[index], excerpt: SafeText.excerpt(of: rows.text(index)),
            remedy: "--type \(columnNames[index])=String accepts every value")
    }
}
