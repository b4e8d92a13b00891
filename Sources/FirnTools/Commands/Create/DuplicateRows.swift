import FirnEngine
import FirnValues

/// Two rows of a table with the same key, found when all rows were loaded.
struct DuplicateRows {
    private let duplicate: BulkLoader.Duplicate

    init(_ duplicate: BulkLoader.Duplicate) { self.duplicate = duplicate }

    /// What the user is told: the lines of the input, not the records that nobody counted.
    func failure(in input: ImportInput) -> CommandFailure {
        // Whoever changes the input meanwhile gets to know the records.
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

    /// The lines that the rows begin on: fields may have line ends, so the input is read once more.
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
