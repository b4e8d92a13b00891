import FirnEngine
import FirnFormats
import FirnText
import FirnValues

/// Two rows or objects with the same key, which are found after all of them were loaded.
struct DuplicateRows {
    private let duplicate: BulkLoader.Duplicate

    init(_ duplicate: BulkLoader.Duplicate) { self.duplicate = duplicate }

    /// Returns the error, which names lines of the inputs instead of record numbers if possible.
    ///
    /// - Parameter inputs: the inputs of the load, in order.
    func failure(in inputs: [ImportInput], of schema: ClassSchema) -> CommandFailure {
        // If an input has changed meanwhile, the error names record numbers.
        let rows = try? rows(of: inputs)
        if let second = rows?.second, second.input.format == .objects {
            return objectFailure(second, schema)
        }
        let input = rows?.second.input ?? inputs.last
        let name = SafeText.escaping(input?.name ?? "")
        let location = rows.map { ":\($0.second.line)" } ?? ", record \(duplicate.second)"
        let other =
            rows.map { rows in
                "line \(rows.first.line)"
                    + (rows.first.input === input
                        ? "" : " of \(SafeText.escaping(rows.first.input.name))")
            } ?? "record \(duplicate.first)"
        var diagnostic = Diagnostic(
            .writeDuplicateKey,
            "\(name)\(location), \(SafeText.escaping(duplicate.property)): "
                + "\(SafeText.escaping(duplicate.value.quoted)) is also the key of \(other)")
        diagnostic.file = input?.path
        diagnostic.position = rows.map { Diagnostic.Position(line: $0.second.line) }
        diagnostic.property = duplicate.property
        diagnostic.value = SafeText.escaping(duplicate.value.quoted)
        diagnostic.remedy = "choose another key, or remove one of the duplicates"
        return .diagnostic(diagnostic)
    }

    /// Returns the error for an object; it is the same as for an object that is not loaded in bulk.
    private func objectFailure(_ second: Row, _ schema: ClassSchema) -> CommandFailure {
        var mistake = RecordMistake(
            .writeDuplicateKey,
            "\(schema.name) already has an object with \(duplicate.property) "
                + duplicate.value.quoted,
            at: TextPosition(offset: 0, line: second.line))
        mistake.remedy = "choose another key, or remove one of the duplicates"
        return .diagnostic(mistake.diagnostic(in: second.input.name))
    }

    /// A row of an input, and its first line.
    private typealias Row = (input: ImportInput, line: UInt64)

    /// Returns the two rows.
    ///
    /// Fields can contain line ends, so the inputs are read again.
    private func rows(of inputs: [ImportInput]) throws(InputError) -> (first: Row, second: Row)? {
        var first: Row?
        var count: UInt64 = 0
        for input in inputs {
            let records = try input.records()
            while let item = try records.next() {
                guard case .record(let record) = item else { continue }
                count += 1
                let line = record.position.line
                if count == duplicate.first { first = (input, line) }
                if count == duplicate.second { return first.map { ($0, (input, line)) } }
            }
        }
        return nil
    }
}
