package import FirnText
import FirnValues

/// The objects of a JSON or NDJSON input as records.
package final class JSONRecords: RecordSource {
    // Exclusivity is not checked at run time: nothing calls back while a record is read.
    @exclusivity(unchecked) private var reader: JSONReader
    package private(set) var canContinue = false
    package private(set) var line: UInt64 = 1
    /// Whether the reader is inside an invalid record.
    ///
    /// The record is skipped only when the next one is requested, because the rest of the line may
    /// not have arrived.
    private var isInBrokenRecord = false
    /// A value that is not a record.
    private var strayValue: JSONTree?

    private let arrays: JSONArrays?

    /// - Parameter arrays: the meaning of an object of arrays; `nil` if every object is a record.
    package init(_ source: any ByteSource, arrays: JSONArrays? = nil) throws(InputError) {
        self.arrays = arrays
        reader = try JSONReader(source, isRecord: arrays?.isRecord)
    }

    /// Reads consecutive records from the middle of an input.
    ///
    /// - Parameter start: the position at which the source begins, at the start of a line.
    package init(
        _ source: any ByteSource, continuingAt start: TextPosition,
        limits: JSONLimits = JSONLimits()
    ) {
        arrays = nil
        reader = JSONReader(source, continuingAt: start, limits: limits)
    }

    /// Whether records follow each other, without an array around them.
    var isStream: Bool { reader.isStream }
    /// The line after the last record.
    var endLine: UInt64 { reader.line }

    package var name: String { reader.name }
    package var bytesRead: UInt64 { reader.bytesRead }
    package var hasInput: Bool { reader.hasInput }

    package func next() throws(InputError) -> ImportItem? {
        canContinue = false
        switch try nextRecord() {
        case nil: return nil
        case .schema(let tree): return .schema(tree)
        case .value(let tree, let className):
            line = tree.position.line
            // After any error from here on, the reader is after the value.
            canContinue = true
            var className = className
            if let arrays, let name = className, let names = reader.arrayNames {
                canContinue = false
                className = try arrays.className(of: name, among: names, self.name)
                canContinue = true
            }
            guard case .object(let fields) = tree.content else {
                strayValue = tree
                throw InputError(
                    .syntax, "a record must be an object, not \(tree.kindName)", name: name,
                    line: tree.position.line, offset: tree.position.offset, excerpt: tree.excerpt)
            }
            return .record(
                ImportRecord(
                    className: className, fields: fields, position: tree.position, cells: nil))
        }
    }

    /// The record that ``nextFlat()`` read.
    @exclusivity(unchecked) package private(set) var flat = FlatObject()

    /// Reads the next record if it is a flat object that needs no tree.
    ///
    /// - Returns: whether it was read; if not, ``next()`` reads it.
    func nextFlat() throws(InputError) -> Bool {
        guard !isInBrokenRecord else { return false }
        canContinue = false
        strayValue = nil
        guard try reader.nextFlat(&flat) else { return false }
        line = flat.position.line
        canContinue = true
        return true
    }

    /// Leaves the record that ``nextFlat()`` read to ``next()``.
    func returnFlat() { reader.returnFlatRecord() }

    package func takeBroken() throws(InputError) -> BrokenRecord {
        if let strayValue { return .tree(strayValue) }
        return .bytes(try skipBroken())
    }

    private func skipBroken() throws(InputError) -> [UInt8] {
        var lines: [UInt8] = []
        try reader.skipRecord(keeping: &lines)
        isInBrokenRecord = false
        if lines.last == 0x0A { lines.removeLast() }
        return lines
    }

    private func nextRecord() throws(InputError) -> JSONRecord? {
        strayValue = nil
        if isInBrokenRecord { _ = try skipBroken() }
        do { return try reader.next() } catch {
            // In an array, the start of the next record cannot be determined.
            canContinue = reader.isStream && error.code != .unreadable
            isInBrokenRecord = canContinue
            line = reader.recordLine
            throw error
        }
    }
}
