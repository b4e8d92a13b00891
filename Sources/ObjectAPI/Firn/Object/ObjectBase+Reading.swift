import FirnEngine
import FirnValues

/// Reading properties by the type that they have in the database.
extension ObjectBase {
    /// Returns the value of an integer property of a managed object.
    ///
    /// The method is used for all widths, so that calls from other modules are not generic.
    public final func _integer(_ index: Int) -> Int64 {
        reading(
            index,
            { cursor, position throws(StoreError) in
                guard let number = try cursor.int(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Int64.self)
                }
                return number
            }, { Int64._decode(_StoredValue($0), in: _RealmReference(nil)) })
    }

    /// Returns the value of an optional integer property of a managed object.
    public final func _integerIfPresent(_ index: Int) -> Int64? {
        readingIfPresent(
            index, { cursor, position throws(StoreError) in try cursor.int(position) },
            { Int64._decode($0, in: $1) })
    }

    /// Reads an optional property through a type-specific path where possible.
    ///
    /// - Parameters:
    ///   - fast: Reads the value from the cursor, which is positioned on the row, or returns `nil`,
    ///     also if the value has a different type.
    ///   - decode: Converts a stored value that is not null to the result.
    @inline(__always)
    final func readingIfPresent<Result>(
        _ index: Int, _ fast: (ObjectCursor, Int) throws(StoreError) -> Result?,
        _ decode: (_StoredValue, _RealmReference) -> Result?
    ) -> Result? {
        reading(
            index,
            { cursor, position throws(StoreError) -> Result? in
                if let found = try fast(cursor, position) { return found }
                if try cursor.isNil(position) { return nil }
                return decode(_StoredValue(try cursor.value(position)), realmReference)
            }, { $0.isNull ? nil : decode(_StoredValue($0), realmReference) })
    }
}
