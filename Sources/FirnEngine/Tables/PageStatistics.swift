package import FirnCodec

/// One column page of a class, as described by the directory.
package struct PageStatistics: Hashable, Sendable {
    package let property: PropertySchema
    /// `values`, `elements` or `keys`; a collection has several pages per row group.
    package let part: String
    /// The index of the row group, from 0 on, and the number of its rows.
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
