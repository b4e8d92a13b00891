import FirnCodec
import FirnValues

/// A row group that is ready to be written, wherever that will be.
struct EncodedRowGroup {
    let firstRowID: RowID
    let rowCount: Int
    let parts: [EncodedPart]
    /// `nil` while the row ids are dense.
    let rowIDs: EncodedPage?

    private var pages: [EncodedPage] { parts.map(\.page) + (rowIDs.map { [$0] } ?? []) }

    /// How many units of the file it takes.
    var unitCount: UInt64 {
        pages.reduce(0) { $0 + Extent.units(forBytes: $1.byteCount) }
    }

    /// Writes the pages.
    func write(_ writer: inout PageWriter) throws(StoreError) -> RowGroup {
        let references = try writer.write(pages)
        // A retyped property stands where the old one stood, and has a later identity.
        let columns = zip(parts, references).map { part, reference in part.stored(at: reference) }
            .sorted { ($0.property, $0.part) < ($1.property, $1.part) }
        return RowGroup(
            firstRowID: firstRowID, rowCount: rowCount,
            rowIDs: rowIDs == nil ? nil : references.last, deletedCount: 0, deleted: nil,
            columns: columns)
    }
}

/// Where full row groups go.
protocol RowGroupSink {
    /// Takes a row group over.
    ///
    /// - Returns: where it was written; `nil` if it was not.
    mutating func take(_ group: EncodedRowGroup) throws(StoreError) -> RowGroup?
}

extension PageWriter: RowGroupSink {
    mutating func take(_ group: EncodedRowGroup) throws(StoreError) -> RowGroup? {
        try group.write(&self)
    }
}

/// Row groups that are not written yet.
struct HeldRowGroups: RowGroupSink {
    private(set) var groups: [EncodedRowGroup] = []

    mutating func take(_ group: EncodedRowGroup) -> RowGroup? {
        groups.append(group)
        return nil
    }
}
