package import FirnColumnar
package import FirnValues

/// The columns of a Parquet or Arrow file, and the columns of its folders.
///
/// The names of columns may be the same; each property has its own.
package final class ColumnarTable: ColumnarReader {
    private let reader: any ColumnarReader
    package let fields: [ColumnarField]
    /// The columns that got another name.
    package let renamedColumns: [RenamedColumn]
    private let folderColumns: [FolderColumn]

    /// - Parameter folderColumns: the columns of its folders; a column of the file with such a name
    ///   takes precedence.
    package init(_ reader: any ColumnarReader, _ folderColumns: [FolderColumn]) {
        self.reader = reader
        let names: [String]
        (names, renamedColumns) = RenamedColumn.numbering(reader.fields.map(\.name))
        let added = folderColumns.filter { !names.contains($0.name) }
        self.folderColumns = added
        fields =
            zip(names, reader.fields).map { name, field in
                ColumnarField(name, field.type, isOptional: field.isOptional)
            } + added.map(\.field)
    }

    package var metadata: TextMap<String> { reader.metadata }
    package var rowCount: Int64? { reader.rowCount }

    package func next() throws(ColumnarError) -> ColumnarBatch? {
        let batch = try reader.next()
        guard let batch, !folderColumns.isEmpty else { return batch }
        let added = folderColumns.map { $0.column(rowCount: batch.rowCount) }
        return ColumnarBatch(rowCount: batch.rowCount, columns: batch.columns + added)
    }
}
