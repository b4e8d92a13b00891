import FirnCodec
import FirnEngine
import FirnValues

/// All objects of a snapshot as plain values, read one by one.
struct GraphData {
    private var objects: [ClassID: [RowID: [Value]]] = [:]
    let schema: Schema

    init(_ snapshot: Snapshot) throws {
        schema = snapshot.schema
        for schema in snapshot.schema.classes {
            guard let table = snapshot.table(schema.id) else { continue }
            var rows: [RowID: [Value]] = [:]
            for group in try table.rowGroups() {
                let live = try group.liveRows()
                for index in 0..<group.rowCount where live?[index] ?? true {
                    let row = try group.rowID(at: index)
                    rows[row] = try table.values(of: row)
                }
            }
            objects[schema.id] = rows
        }
    }

    /// In the order of the table.
    func rows(of schema: ClassSchema) -> [RowID] {
        objects[schema.id].map { $0.keys.sorted() } ?? []
    }

    func value(_ property: PropertySchema, of row: RowID, in schema: ClassSchema) -> Value {
        guard let index = schema.index(of: property.id) else { return .null }
        return objects[schema.id]?[row]?[index] ?? .null
    }

    func exists(_ row: RowID, in schema: ClassSchema) -> Bool {
        objects[schema.id]?[row] != nil
    }
}
