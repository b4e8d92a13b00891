import FirnCodec
import FirnEngine
import FirnValues

/// A lookup of a few objects by key or by `@id`, which replaces a scan.
struct KeyLookup: Hashable, Sendable {
    enum Column: Hashable, Sendable {
        case key(PropertySchema)
        case rowID
    }

    /// The number of values up to which a lookup is always worthwhile.
    ///
    /// A lookup of more values is worthwhile only if the class has many times as many objects.
    private static let valueCountMin = 16
    private static let objectsPerValueMin = 64

    let column: Column
    /// The values to look up: of the kind of the key or null, or integers for `@id`.
    let values: [Value]

    /// Removes and returns the first of several conjunctive conditions that identifies a few
    /// objects.
    static func take(
        from conditions: inout [BoundPredicate], of schema: ClassSchema
    ) -> KeyLookup? {
        for (index, condition) in conditions.enumerated() {
            guard let (column, test) = condition.columnTest,
                let lookup = KeyLookup(column, test, of: schema)
            else { continue }
            conditions.remove(at: index)
            return lookup
        }
        return nil
    }

    private init?(_ column: BoundColumn, _ test: ColumnTest, of schema: ClassSchema) {
        let kind: ValueTag
        switch column {
        case .rowID:
            self.column = .rowID
            kind = .int
        case .property(let property) where property.id == schema.key:
            self.column = .key(property)
            kind = property.type.base
        case .property, .output: return nil
        }
        let constants: [Value]
        switch test {
        case .compare(.equal, let value): constants = [value]
        case .isNull: constants = [.null]
        case .oneOf(let list): constants = list
        default: return nil
        }
        // A number of another kind may be equal to a key. Only a scan finds such a key.
        guard constants.allSatisfy({ $0.tag == kind || $0.isNull }) else { return nil }
        values = constants
    }

    func isWorthwhile(objectCount: Int) -> Bool {
        values.count <= Self.valueCountMin
            || values.count <= objectCount / Self.objectsPerValueMin
    }

    var name: String {
        switch column {
        case .key(let property): property.name
        case .rowID: "@id"
        }
    }

    /// Returns the row ids of the objects that exist, ascending and without duplicates.
    func rows(in table: Table) throws(StoreError) -> [RowID] {
        var rows: Set<RowID> = []
        for value in values {
            switch (column, value) {
            case (.rowID, .int(let number)) where number >= 0:
                rows.insert(RowID(UInt64(number)))
            case (.rowID, _): break
            case (.key, _):
                if let row = try table.row(forKey: value) { rows.insert(row) }
            }
        }
        return rows.sorted()
    }
}
