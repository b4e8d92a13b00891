import FirnCodec
import FirnEngine
import FirnValues

/// Tests whether a collection has exactly the given values.
///
/// Lists must match in order; sets and maps match in any order. Values are equal as in queries:
/// numbers by value, and null to null.
struct CollectionEquality {
    private let path: BoundPath
    private let values: [Value]
    private let reader: SnapshotReader

    init(_ path: BoundPath, _ values: [Value], _ reader: SnapshotReader) {
        self.path = path
        self.reader = reader
        var constants = values.map { $0.rowID(in: path.type.target) }
        if path.type.container != .list {
            constants.sort { $0.order(relativeTo: $1) == .less }
        }
        // A set contains each value once.
        if path.type.container == .set { constants = Self.distinct(constants) }
        self.values = constants
    }

    private static func distinct(_ sorted: [Value]) -> [Value] {
        var distinct: [Value] = []
        for value in sorted where distinct.last?.order(relativeTo: value) != .equal {
            distinct.append(value)
        }
        return distinct
    }

    /// Returns the positions of the rows that pass.
    ///
    /// A row that reaches no collection does not pass.
    func passing(_ source: any RowSource, _ rows: BatchRows) throws(StoreError) -> Bitmap {
        var passing = Bitmap(count: rows.count)
        guard case .collection(let property) = path.terminal else { return passing }
        try PathEvaluator(path: path, classes: reader.classes).visitObjects(source, rows) {
            batch throws(StoreError) in
            // Only collections of the right size are read.
            let counts = try ElementIterator(property, batch).counts()
            let references = batch.rows.references
            let indices = counts.indices.filter { counts[$0] == values.count }
            guard !values.isEmpty else {
                for index in indices { passing[Int(batch.owners[index])] = true }
                return
            }
            let part = PathBatch(
                source: batch.source, owners: indices.map { batch.owners[$0] },
                rows: BatchRows(indices.map { references[$0] }))
            try compare(part, property, &passing)
        }
        return passing
    }

    private func compare(
        _ batch: PathBatch, _ property: PropertySchema, _ passing: inout Bitmap
    ) throws(StoreError) {
        var elements: [Value] = []
        var latest: UInt32?
        try ElementIterator(property, batch).visit { owners, chunk in
            for (index, owner) in owners.enumerated() {
                if latest != owner { elements.removeAll(keepingCapacity: true) }
                latest = owner
                elements.append(chunk.value(at: index))
                if elements.count == values.count { passing[Int(owner)] = areEqual(elements) }
            }
        }
    }

    private func areEqual(_ elements: [Value]) -> Bool {
        var elements = elements
        if path.type.container != .list {
            elements.sort { $0.order(relativeTo: $1) == .less }
        }
        return zip(elements, values).allSatisfy { FirnCodec.value($0, passes: .oneOf([$1])) }
    }
}
