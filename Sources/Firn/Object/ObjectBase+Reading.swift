import FirnEngine
import FirnValues

/// Reading a property by the type that it has in the database.
extension ObjectBase {
    /// The value of an integer property of a managed object.
    ///
    /// For all widths: what other modules call of this one is then not generic.
    public final func _integer(_ place: Int) -> Int64 {
        reading(
            place,
            { cursor, position throws(StoreError) in
                guard let number = try cursor.int(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Int64.self)
                }
                return number
            }, { Int64._decode(_StoredValue($0), in: _RealmReference(nil)) })
    }

    /// The value of an integer property of a managed object that may be nil.
    public final func _integerIfPresent(_ place: Int) -> Int64? {
        readingIfPresent(
            place, { cursor, position throws(StoreError) in try cursor.int(position) },
            { Int64._decode($0, in: $1) })
    }

    /// Reads a property that may be nil by a way of its own, as far as that leads.
    ///
    /// - Parameters:
    ///   - fast: reads it from the cursor, which stands on the row; `nil` also for another type.
    ///   - decode: makes a result of what is stored and not nil.
    @inline(__always)
    final func readingIfPresent<Result>(
        _ place: Int, _ fast: (ObjectCursor, Int) throws(StoreError) -> Result?,
        _ decode: (_StoredValue, _RealmReference) -> Result?
    ) -> Result? {
        reading(
            place,
            { cursor, position throws(StoreError) -> Result? in
                if let found = try fast(cursor, position) { return found }
                if try cursor.isNil(position) { return nil }
                return decode(_StoredValue(try cursor.value(position)), realmReference)
            }, { $0.isNull ? nil : decode(_StoredValue($0), realmReference) })
    }
}
