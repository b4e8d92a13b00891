import FirnCodec
import FirnEngine
import FirnValues
import RealmFile

/// Loads the objects of one class, cluster by cluster and column by column.
final class ClassLoad {
    /// The objects whose values are appended together, if values may be long.
    private static let carefulRows = 8

    private let reader: RealmReader
    private let realmClass: RealmClass
    private let conversion: ValueConversion
    private let loader: BulkLoader
    /// The collections that are too large for a row group, by their row and column.
    private(set) var largeCollections: [(row: RowID, column: Int)] = []

    init(
        _ reader: RealmReader, _ realmClass: RealmClass, _ conversion: ValueConversion,
        _ loader: BulkLoader
    ) {
        self.reader = reader
        self.realmClass = realmClass
        self.conversion = conversion
        self.loader = loader
    }

    /// - Parameter progress: called with the number of objects so far; returns whether to continue.
    func run(_ progress: (UInt64) -> Bool) throws(RealmImportError) {
        let objects = reader.objects(of: realmClass)
        while let cluster = try reading({ () throws(RealmFileError) in try objects.next() }) {
            try load(cluster)
            guard progress(loader.rowCount) else { throw .stopped }
        }
        try writing { () throws(StoreError) in try loader.finish() }
    }

    private func load(_ cluster: Cluster) throws(RealmImportError) {
        var columns: [ClusterColumn] = []
        for column in realmClass.columns {
            columns.append(
                try reading { () throws(RealmFileError) in try reader.column(column, in: cluster) })
        }
        let step = columns.contains { $0.mayBeLong } ? ClassLoad.carefulRows : cluster.keys.count
        var start = 0
        while start < cluster.keys.count {
            let end = min(cluster.keys.count, start + min(step, loader.rowRoom))
            for (index, column) in columns.enumerated() {
                try append(column, start..<end, at: index)
            }
            try writing { () throws(StoreError) in try loader.endRows(end - start) }
            start = end
        }
    }

    private func append(
        _ column: ClusterColumn, _ rows: Range<Int>, at index: Int
    ) throws(RealmImportError) {
        guard case .values(let values) = column.content else {
            return try appendCollections(column, rows, at: index)
        }
        let builder = loader.columns[index]
        if case .links(let keys, let target) = values {
            return try append(keys[rows], target, to: builder)
        }
        let scalars = ScalarLoad(
            values, column.column, isNarrow: loader.hasNarrowIntegers(at: index))
        if scalars.append(rows, to: builder) { return }
        let isDone = try reading { () throws(RealmFileError) in
            try scalars.appendTexts(rows, to: builder) { conversion.repaired($0) }
        }
        if isDone { return }
        for row in rows {
            let value = try reading { () throws(RealmFileError) in try reader.value(column, row) }
            let converted = try conversion.value(value)
            let fitting =
                column.column.type == .mixed
                ? conversion.fitting(converted, isNullable: true) : converted
            try writing { () throws(StoreError) in try loader.append(fitting, at: index) }
        }
    }

    /// - Parameter keys: the keys of the objects, or negative numbers as in a leaf.
    private func append(
        _ keys: ArraySlice<Int64>, _ target: Int, to builder: ColumnBuilder
    ) throws(RealmImportError) {
        for key in keys {
            guard key >= 0 else {
                if key < -1 { conversion.report.unresolvedLinks += 1 }
                builder.appendNull()
                continue
            }
            let link = RealmLink(classIndex: target, key: UInt64(key))
            if let reference = try conversion.reference(link) {
                builder.append(int: Int64(bitPattern: reference.rowID.rawValue))
            } else {
                builder.appendNull()
            }
        }
    }

    private func appendCollections(
        _ column: ClusterColumn, _ rows: Range<Int>, at index: Int
    ) throws(RealmImportError) {
        for (offset, row) in rows.enumerated() where !column.isEmpty(row) {
            let value = try reading { () throws(RealmFileError) in try reader.value(column, row) }
            let converted = try conversion.value(value)
            try writing { () throws(StoreError) in
                loader.skipCollections(at: index, before: offset)
                guard try !loader.append(collection: converted, at: index) else { return }
                largeCollections.append((RowID(loader.rowCount + UInt64(offset)), index))
            }
        }
    }
}
