package import FirnCodec
package import FirnEngine
package import FirnValues

/// The source of the objects that a result links to.
package protocol ObjectLookup {
    var schema: Schema { get }

    /// Returns the values of one property of several objects; null for an object that does not
    /// exist.
    ///
    /// It is called once per batch and property, never per object.
    ///
    /// - Parameter rows: the objects, in ascending order without duplicates.
    func column(
        _ property: PropertySchema, of schema: ClassSchema, rows: [RowID]
    ) throws(StoreError) -> ColumnVector
}

/// The objects of a snapshot.
package struct SnapshotLookup: ObjectLookup {
    private let snapshot: Snapshot

    package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    package var schema: Schema { snapshot.schema }

    package func column(
        _ property: PropertySchema, of schema: ClassSchema, rows: [RowID]
    ) throws(StoreError) -> ColumnVector {
        var run = GatheredColumn(property)
        guard let table = snapshot.table(schema.id) else {
            for _ in rows { try run.addMissing() }
            return try run.finished()
        }
        for row in rows {
            if try run.add(row) { continue }
            if let (group, index) = try table.locate(row) {
                try run.begin(group, index)
            } else {
                try run.addMissing()
            }
        }
        return try run.finished()
    }
}

/// Values of one property, gathered from consecutive row groups.
private struct GatheredColumn {
    private let property: PropertySchema
    private var vector: ColumnVector
    private var group: RowGroupView?
    private var live: Bitmap?
    /// The rows of the group that are not in the vector yet.
    private var pending: [UInt32] = []

    init(_ property: PropertySchema) {
        self.property = property
        vector = ColumnVector(of: property.type)
    }

    /// Adds an object if it is in the current row group, and returns whether it is.
    mutating func add(_ row: RowID) throws(StoreError) -> Bool {
        guard let group, let index = try group.index(of: row) else { return false }
        if let live, !live[index] { return false }
        pending.append(UInt32(index))
        return true
    }

    /// Moves to the row group of the next object.
    mutating func begin(_ group: RowGroupView, _ index: Int) throws(StoreError) {
        try flush()
        self.group = group
        live = try group.liveRows()
        pending.append(UInt32(index))
    }

    mutating func addMissing() throws(StoreError) {
        try flush()
        vector.appendNull()
    }

    mutating func finished() throws(StoreError) -> ColumnVector {
        try flush()
        return vector
    }

    private mutating func flush() throws(StoreError) {
        guard let group, !pending.isEmpty else { return }
        if property.type.container == .single {
            let page = try group.column(property)
            pending.withUnsafeBufferPointer { page.gather($0, into: &vector) }
        } else {
            try group.collection(property).append(pending, into: &vector)
        }
        pending.removeAll(keepingCapacity: true)
    }
}

extension ColumnVector {
    /// Creates an empty vector for values of a type: links are row ids, collections have children.
    package init(of type: PropertyType) {
        let element = ColumnVector(kind: type.columnKind)
        switch type.container {
        case .single: self = element
        case .list: self.init(kind: .list, children: [element])
        case .set: self.init(kind: .set, children: [element])
        case .map: self.init(kind: .map, children: [element, ColumnVector(kind: .string)])
        }
    }
}
