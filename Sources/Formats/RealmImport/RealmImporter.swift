package import FirnEngine
import FirnValues
package import RealmFile

/// Imports the objects of a Realm file into the classes of a plan.
///
/// The objects of a class keep the order of their keys. The classes are new, so the identity of an
/// object is its rank, and links are known before the objects are written, also those that lead
/// ahead or in a circle.
package final class RealmImporter {
    private let reader: RealmReader
    private let plan: RealmImportPlan
    private let transaction: WriteTransaction
    /// The differences between the file and the database, as far as they are known.
    package private(set) var report: RealmImportReport
    /// The number of objects of all classes.
    package let objectCount: UInt64

    /// Whether the objects of a class are imported, by its index in the file.
    private let isImported: [Bool]

    /// - Parameters:
    ///   - transaction: a transaction that has added the classes of the plan.
    ///   - needed: the only classes whose objects are imported; `nil` for all. Their links lead to no
    ///     others.
    package init(
        _ reader: RealmReader, _ plan: RealmImportPlan, into transaction: WriteTransaction,
        only needed: Set<Int>? = nil
    ) {
        self.reader = reader
        self.plan = plan
        self.transaction = transaction
        report = plan.report
        isImported = plan.classes.indices.map { index in
            plan.classes[index].name != nil && needed?.contains(index) ?? true
        }
        objectCount = zip(reader.classes, isImported).reduce(0) {
            $1.1 ? $0 + $1.0.objectCount : $0
        }
    }

    /// Imports all objects.
    ///
    /// - Parameter progress: called with the name of a class and the number of objects so far;
    ///   returns whether to go on.
    package func run(_ progress: (String, UInt64) -> Bool) throws(RealmImportError) {
        let classIDs = plan.classes.map { planned in
            planned.name.flatMap { transaction.schema.classNamed($0)?.id }
        }
        let conversion = ValueConversion(
            reader, try indices(), classIDs, isEmbedded: plan.classes.map(\.isEmbedded), report)
        var done: UInt64 = 0
        for (index, realmClass) in reader.classes.enumerated() {
            guard isImported[index], let classID = classIDs[index] else { continue }
            let loader = try writing { () throws(StoreError) in
                try transaction.bulkLoader(for: classID, isOwned: true)
            }
            let load = ClassLoad(reader, realmClass, conversion, loader)
            try load.run { progress(realmClass.name, done + $0) }
            done += loader.rowCount
            largeCollections[index] = load.largeCollections
        }
        report = conversion.report
        conversion.isRepeating = true
        try setLargeCollections(conversion, classIDs)
        try deleteUnowned(conversion, classIDs)
        try reading { () throws(RealmFileError) in try reader.checkUnchanged() }
    }

    /// The collections that are set after all objects are there, by the index of the class.
    private var largeCollections: [Int: [(row: RowID, column: Int)]] = [:]

    /// Returns the identities of all objects.
    private func indices() throws(RealmImportError) -> [ObjectIndex] {
        var indices: [ObjectIndex] = []
        for (realmClass, isImported) in zip(reader.classes, isImported) {
            var index = ObjectIndex()
            if isImported {
                let objects = reader.objects(of: realmClass)
                while let cluster = try reading({ () throws(RealmFileError) in
                    try objects.next()
                }) { index.append(cluster.keys) }
            }
            indices.append(index)
        }
        return indices
    }

    private func setLargeCollections(
        _ conversion: ValueConversion, _ classIDs: [ClassID?]
    ) throws(RealmImportError) {
        for (index, collections) in largeCollections.sorted(by: { $0.key < $1.key }) {
            guard let classID = classIDs[index], let schema = transaction.schema[classID],
                !collections.isEmpty
            else { continue }
            var wanted = collections[...]
            let realmClass = reader.classes[index]
            var first: UInt64 = 0
            let objects = reader.objects(of: realmClass)
            while !wanted.isEmpty,
                let cluster = try reading({ () throws(RealmFileError) in try objects.next() })
            {
                let end = first + UInt64(cluster.keys.count)
                // The collections of a cluster come column by column.
                let here = wanted.prefix { $0.row.rawValue < end }
                for (row, column) in here {
                    let value = try reading { () throws(RealmFileError) in
                        try reader.value(
                            try reader.column(realmClass.columns[column], in: cluster),
                            Int(row.rawValue - first))
                    }
                    let converted = try conversion.value(value)
                    try writing { () throws(StoreError) in
                        try transaction.set(
                            schema.properties[column].id, of: row, in: classID, to: converted)
                    }
                }
                wanted = wanted.dropFirst(here.count)
                first = end
            }
        }
    }

    /// Deletes the embedded objects that were found in no owner.
    private func deleteUnowned(
        _ conversion: ValueConversion, _ classIDs: [ClassID?]
    ) throws(RealmImportError) {
        for (index, realmClass) in reader.classes.enumerated() {
            guard plan.classes[index].isEmbedded, isImported[index], let classID = classIDs[index]
            else { continue }
            for row in conversion.owned[index].missing(below: realmClass.objectCount) {
                try writing { () throws(StoreError) in try transaction.delete(row, in: classID) }
                report.unownedObjects += 1
            }
        }
    }
}
