package import FirnCodec
import FirnValues

/// The size of a column of a class on disk, computed from the directory without reading pages.
package struct ColumnStatistics: Hashable, Sendable {
    package let property: PropertySchema
    /// The number of rows, or elements of collections, without a value.
    ///
    /// Deleted objects whose rows are still stored are included.
    package var nullCount: UInt64 = 0
    /// The size of the values without encoding: 8 bytes per number or date, the UTF-8 of strings.
    ///
    /// Elements and keys of collections are included, except those of large collections.
    package var rawByteCount: UInt64 = 0
    /// The size of the pages in the file.
    package var storedByteCount: UInt64 = 0
    /// The number of pages with each encoding.
    package var pagesByEncoding: [PageEncoding: Int] = [:]
}

/// The size of an index on disk.
package struct IndexStatistics: Hashable, Sendable {
    package let index: IndexSchema
    package let entryCount: UInt64
    /// The size of the nodes of its tree in the file; 0 while it has to be built.
    package let storedByteCount: UInt64
}

/// The size of a class on disk.
package struct TableStatistics: Hashable, Sendable {
    package let schema: ClassSchema
    package var objectCount = 0
    /// The number of rows that are still stored although their object is deleted.
    package var deletedRowCount = 0
    package var rowGroupCount = 0
    package var columns: [ColumnStatistics]
    package var indexes: [IndexStatistics] = []
}

extension Table {
    /// Returns the sums over the row groups of the root.
    ///
    /// - Complexity: O(row groups × properties + inner nodes of the indexes)
    package func statistics() throws(StoreError) -> TableStatistics {
        var statistics = TableStatistics(
            schema: schema, columns: schema.properties.map { ColumnStatistics(property: $0) })
        statistics.objectCount = liveRowCount
        for group in try directory.groups() {
            statistics.rowGroupCount += 1
            statistics.deletedRowCount += group.deletedCount
            for index in statistics.columns.indices {
                let property = statistics.columns[index].property
                // The lengths of collections are never null; their elements may be.
                let nullable: ColumnPart =
                    property.type.container == .single ? .values : .elements
                for column in group.columns where column.property == property.id {
                    if column.part == nullable {
                        statistics.columns[index].nullCount += UInt64(column.zone.nullCount)
                    }
                    statistics.columns[index].rawByteCount += UInt64(column.rawByteCount)
                    statistics.columns[index].storedByteCount += UInt64(
                        column.reference.byteCount)
                    statistics.columns[index].pagesByEncoding[column.encoding, default: 0] += 1
                }
            }
        }
        statistics.indexes = try schema.indexes.map { index throws(StoreError) in
            let tree = tree(.index(index.id))
            return IndexStatistics(
                index: index, entryCount: tree.count, storedByteCount: try tree.storedByteCount())
        }
        return statistics
    }
}

extension Snapshot {
    /// The maximum number of rows of a row group of this file.
    package var rowsPerGroup: Int { Int(root.superblock.rowsPerGroup) }
}

/// One column page of a class, as described by the directory.
package struct PageStatistics: Hashable, Sendable {
    package let property: PropertySchema
    /// `values`, `elements` or `keys`; a collection has several pages per row group.
    package let part: String
    /// The index of the row group, starting at 0, and the number of its rows.
    package let rowGroup: Int
    package let rowCount: Int
    /// The offset of the page in the file, and its size there.
    package let offset: UInt64
    package let storedByteCount: UInt64
    package let rawByteCount: UInt64
    package let encoding: PageEncoding
    package let zone: ZoneMap
}

extension Table {
    /// Returns the column pages of the root, row group by row group.
    ///
    /// - Complexity: O(row groups × properties); no page is read.
    package func pageStatistics() throws(StoreError) -> [PageStatistics] {
        let properties = Dictionary(uniqueKeysWithValues: schema.properties.map { ($0.id, $0) })
        var pages: [PageStatistics] = []
        for (index, group) in try directory.groups().enumerated() {
            for column in group.columns {
                // The columns of a removed property remain in a group until it is rewritten.
                guard let property = properties[column.property] else { continue }
                pages.append(
                    PageStatistics(
                        property: property, part: "\(column.part)", rowGroup: index,
                        rowCount: group.rowCount, offset: column.reference.extent.byteOffset,
                        storedByteCount: UInt64(column.reference.byteCount),
                        rawByteCount: UInt64(column.rawByteCount), encoding: column.encoding,
                        zone: column.zone))
            }
        }
        return pages
    }
}
