import FirnEngine
import FirnFormats
import FirnQuery
import FirnText
import FirnValues

/// A format with one line per object and without member names.
enum RowDialect: Hashable {
    case csv
    case tsv

    var delimiter: UInt8 {
        switch self {
        case .csv: CSVDialect.delimiter
        case .tsv: TSVDialect.delimiter
        }
    }

    func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer) {
        switch self {
        case .csv: CSVDialect.append(text, delimiter, to: &buffer)
        case .tsv: TSVDialect.append(text, delimiter, to: &buffer)
        }
    }
}

/// Lines of objects for programs that read csv and tsv.
///
///     op,version,id,index,name,age
///     insert,41,7,0,Bo,41
///     update,43,7,0,Bo,42
///     delete,44,7,0,Bo,42
extension StreamLines {
    /// Writes the names of the columns, once, and again when they change.
    func delimitedHeader(_ shape: ObjectShape, _ dialect: RowDialect) {
        defer {
            if let version = beginning.pendingReset { appendReset(version, dialect) }
            beginning.pendingReset = nil
        }
        let names =
            ["op", "version", "id", "index"]
            + DelimitedImages.columns(of: shape).map { shape.columns[$0].name }
        guard names != beginning.header else { return }
        beginning.header = names
        for (index, name) in names.enumerated() {
            if index > 0 { buffer.append(dialect.delimiter) }
            var name = name
            name.withUTF8 { dialect.append($0, to: &buffer) }
        }
        buffer.append("\n")
    }

    /// Reports a reset: a line that contains only the operation and the version, after the names of
    /// the columns.
    func delimitedReset(_ version: LSN) { beginning.pendingReset = version }

    private func appendReset(_ version: LSN, _ dialect: RowDialect) {
        buffer.append("reset")
        buffer.append(dialect.delimiter)
        buffer.append(unsigned: version.rawValue)
        buffer.append("\n")
    }

    /// Writes some of the initial objects.
    func delimitedObjects(
        _ rows: [RowID], at start: Int, of shape: ObjectShape, in contents: RowContents,
        _ snapshot: DatabaseSnapshot, _ dialect: RowDialect
    ) throws(QueryFailure) {
        delimitedHeader(shape, dialect)
        let images = try DelimitedImages(of: rows, shape, in: contents, dialect)
        for (offset, row) in rows.enumerated() {
            append("insert", snapshot.version, row, start + offset, images, dialect)
        }
    }

    /// Writes the lines in the order in which each can be applied on its own; see ``update(_:)``.
    func delimitedUpdate(
        _ update: StreamUpdate, _ dialect: RowDialect
    ) throws(QueryFailure) {
        for part in update.change.parts {
            delimitedHeader(part.shape, dialect)
            let version = update.new.version
            let old = try DelimitedImages(
                of: part.deletions.map(\.row), part.shape,
                in: RowContents(update.old, part.values?.old), dialect)
            let new = try DelimitedImages(
                of: part.insertions.map(\.row) + part.modifications.map(\.row), part.shape,
                in: RowContents(update.new, part.values?.new), dialect)
            for item in part.deletions.reversed() {
                append("delete", version, item.row, item.index, old, dialect)
            }
            for item in part.insertions {
                append("insert", version, item.row, item.index, new, dialect)
            }
            for item in part.modifications {
                append("update", version, item.row, item.indices?.to, new, dialect)
            }
        }
    }

    private func append(
        _ verb: StaticString, _ version: LSN, _ row: RowID, _ index: Int?,
        _ images: DelimitedImages, _ dialect: RowDialect
    ) {
        buffer.append(verb)
        buffer.append(dialect.delimiter)
        buffer.append(unsigned: version.rawValue)
        buffer.append(dialect.delimiter)
        images.append(images.ids, row, to: &buffer)
        buffer.append(dialect.delimiter)
        if let index { buffer.append(int: Int64(index)) }
        images.append(images.fields, row, to: &buffer)
        buffer.append("\n")
    }
}

/// Some objects of one class as the ends of lines, in one version.
struct DelimitedImages {
    /// The key of each object, or its number.
    let ids = TextColumn()
    /// All other values of each object, each after a delimiter.
    let fields = TextColumn()
    private var indices: [RowID: Int] = [:]

    /// Returns the columns after the key.
    static func columns(of shape: ObjectShape) -> [Int] {
        shape.columns.indices.filter { shape.columns[$0].name != shape.keyName }
    }

    /// - Parameter rows: the objects or rows of values, which exist, in any order.
    init(
        of rows: [RowID], _ shape: ObjectShape, in contents: RowContents, _ dialect: RowDialect
    ) throws(QueryFailure) {
        let rows = ValueRenderer.distinct(rows)
        guard !rows.isEmpty else { return }
        for row in rows { indices[row] = indices.count }
        var options = ValueOptions()
        options.linkStyle = .plain
        try append(rows, shape, contents, options, dialect)
        let texts = TextColumn()
        try contents.appendIdentities(of: rows, shape, options, .plain, to: texts)
        for index in rows.indices {
            dialect.append(texts.text(index), to: &ids.buffer)
            ids.endText()
        }
    }

    private func append(
        _ rows: [RowID], _ shape: ObjectShape, _ contents: RowContents, _ options: ValueOptions,
        _ dialect: RowDialect
    ) throws(QueryFailure) {
        let chosen = DelimitedImages.columns(of: shape)
        let result = try contents.columns(of: rows, shape)
        let resolver = ResultResolver(result.columns, lookup: contents.lookup, options)
        let raw = RawBatch(resolver.columns)
        while let found = try result.next() {
            do { raw.load(try resolver.resolve(found)) } catch { throw .store(error) }
            for row in 0..<raw.rowCount {
                for index in chosen {
                    fields.buffer.append(dialect.delimiter)
                    let column = raw.columns + index
                    if column.pointee.isNull(row) { continue }
                    if column.pointee.isText {
                        dialect.append(column.pointee.text(row), to: &fields.buffer)
                    } else {
                        fields.buffer.append(scalarOf: column.pointee, row: row)
                    }
                }
                fields.endText()
            }
        }
    }

    /// Appends a text of an object.
    func append(_ column: TextColumn, _ row: RowID, to buffer: inout TextBuffer) {
        guard let index = indices[row], index < column.count else { return }
        let text = column.text(index)
        if let base = text.baseAddress { buffer.append(base, count: text.count) }
    }
}
