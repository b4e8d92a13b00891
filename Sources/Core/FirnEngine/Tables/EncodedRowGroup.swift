import FirnCodec
import FirnValues

/// A row group that is encoded but not written yet.
struct EncodedRowGroup {
    let firstRowID: RowID
    let rowCount: Int
    let parts: [EncodedPart]
    /// `nil` while the row ids are dense.
    let rowIDs: EncodedPage?

    private var pages: [EncodedPage] { parts.map(\.page) + (rowIDs.map { [$0] } ?? []) }

    /// The number of units that the row group takes in the file.
    var unitCount: UInt64 {
        pages.reduce(0) { $0 + Extent.units(forBytes: $1.byteCount) }
    }

    /// Writes the pages.
    func write(_ writer: inout PageWriter) throws(StoreError) -> RowGroup {
        let references = try writer.write(pages)
        // A retyped property keeps its position in the schema, but has a later identity.
        let columns = zip(parts, references).map { part, reference in part.stored(at: reference) }
            .sorted { ($0.property, $0.part) < ($1.property, $1.part) }
        return RowGroup(
            firstRowID: firstRowID, rowCount: rowCount,
            rowIDs: rowIDs == nil ? nil : references.last, deletedCount: 0, deleted: nil,
            columns: columns)
    }
}

/// A destination for full row groups.
protocol RowGroupSink {
    /// Accepts a row group.
    ///
    /// - Returns: The written row group; `nil` if it was not written.
    mutating func take(_ group: EncodedRowGroup) throws(StoreError) -> RowGroup?
}

extension PageWriter: RowGroupSink {
    mutating func take(_ group: EncodedRowGroup) throws(StoreError) -> RowGroup? {
        try group.write(&self)
    }
}

/// A sink that collects row groups without writing them.
struct HeldRowGroups: RowGroupSink {
    private(set) var groups: [EncodedRowGroup] = []

    mutating func take(_ group: EncodedRowGroup) -> RowGroup? {
        groups.append(group)
        return nil
    }
}
