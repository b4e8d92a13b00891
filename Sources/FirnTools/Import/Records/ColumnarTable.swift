import FirnColumnar
import FirnValues

/// The columns of a Parquet or Arrow file, whose names may be the same; each property has its own.
final class ColumnarTable: ColumnarReader {
    private let reader: any ColumnarReader
    let fields: [ColumnarField]
    /// The columns that got another name.
    let renamedColumns: [RenamedColumn]

    init(_ reader: any ColumnarReader) {
        self.reader = reader
        let names: [String]
        (names, renamedColumns) = RenamedColumn.numbering(reader.fields.map(\.name))
        fields = zip(names, reader.fields).map { name, field in
            ColumnarField(name, field.type, isOptional: field.isOptional)
        }
    }

    var metadata: TextMap<String> { reader.metadata }
    var rowCount: Int64? { reader.rowCount }

    func next() throws(ColumnarError) -> ColumnarBatch? { try reader.next() }
}
