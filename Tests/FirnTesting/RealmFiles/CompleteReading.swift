package import RealmFile

/// Reads everything in a file.
package enum CompleteReading {
    /// Returns the number of values.
    package static func count(_ reader: RealmReader) throws(RealmFileError) -> Int {
        var count = 0
        for realmClass in reader.classes {
            let objects = reader.objects(of: realmClass)
            while let cluster = try objects.next() {
                for column in realmClass.columns {
                    let values = try reader.column(column, in: cluster)
                    for row in cluster.keys.indices {
                        count += try self.count(try reader.value(values, row), reader)
                    }
                }
            }
        }
        return count
    }

    private static func count(
        _ value: RealmValue, _ reader: RealmReader
    ) throws(RealmFileError) -> Int {
        guard case .collection(let collection) = value else { return 1 }
        var count = 1
        if case .dictionary = collection.kind {
            let entries = try reader.entries(of: collection)
            while let (_, value) = try entries.next() { count += try self.count(value, reader) }
        } else {
            let elements = reader.elements(of: collection)
            while let value = try elements.next() { count += try self.count(value, reader) }
        }
        return count
    }
}
