import FirnEngine
import FirnValues

/// Two rows of a table with the same key, which are found after all rows were loaded.
struct DuplicateRows {
    private let duplicate: BulkLoader.Duplicate

    init(_ duplicate: BulkLoader.Duplicate) { self.duplicate = duplicate }

    /// Returns the error, which names lines of the input instead of record numbers if possible.
    func failure(in input: ImportInput) -> CommandFailure {
        // If the input has changed meanwhile, the error names record numbers.
        let lines = try? lines(of: input)
        let place = lines.map { ":\($0.second)" } ?? ", record \(duplicate.second)"
        let other = lines.map { "line \($0.first)" } ?? "record \(duplicate.first)"
        var diagnostic = Diagnostic(
            .writeDuplicateKey,
            "\(SafeText.escaping(input.name))\(place), \(SafeText.escaping(duplicate.property)): "
                + "\(SafeText.escaping(duplicate.value.quoted)) is also the key of \(other)")
        diagnostic.file = input.path
        diagnostic.position = lines.map { Diagnostic.Position(line: $0.second) }
        diagnostic.property = duplicate.property
        diagnostic.value = SafeText.escaping(duplicate.value.quoted)
        diagnostic.remedy = "choose another key, or remove one of the duplicates"
        return .diagnostic(diagnostic)
    }

    /// Returns the first lines of the rows.
    ///
    /// Fields can contain line ends, so the input is read again.
    private func lines(
        of input: ImportInput
    ) throws(InputError) -> (first: UInt64, second: UInt64)? {
        guard case .table(let format) = input.format else { return nil }
        let table = try input.table(format)
        var first: UInt64?
        var count: UInt64 = 0
        while try table.next() {
            count += 1
            if count == duplicate.first { first = table.row.line }
            if count == duplicate.second { return first.map { ($0, table.row.line) } }
        }
        return nil
    }
}
