import FirnCodec
import FirnValues

/// A cache of the data that the operations of a transaction on one class need repeatedly.
final class ClassWriteCache {
    /// A quick check whether a property accepts a value; values that fail it are checked in full.
    struct Rule {
        let tag: ValueTag
        let mayBeNull: Bool
        /// Whether every value of the type is accepted.
        let isPlain: Bool
        /// Whether a short text or short data is accepted.
        let isText: Bool

        init(_ property: PropertySchema) {
            let type = property.type
            tag = type.base
            let isSingle = type.container == .single
            mayBeNull = isSingle && type.mayBeNull
            isText = isSingle && (type.base == .string || type.base == .data)
            isPlain =
                isSingle && !isText && !property.mayLink && type.integerWidth == .bits64
        }

        func admits(_ value: Value) -> Bool {
            switch value {
            case .null: return mayBeNull
            case .string(let text):
                return isText && tag == .string && text.utf8.count <= Rule.textByteCount
            case .data(let bytes):
                return isText && tag == .data && bytes.count <= Rule.textByteCount
            default: return isPlain && value.tag == tag
            }
        }

        /// Returns whether all values of a vector are accepted.
        func admits(_ vector: ColumnVector) -> Bool {
            guard vector.kind == tag, isPlain || isText else { return false }
            if !mayBeNull, vector.nulls.contains(where: { $0 != 0 }) { return false }
            return !isText || vector.longestByteCount <= Rule.textByteCount
        }

        static let textByteCount = 1 << 20
    }

    let record: ClassRecord
    let schema: ClassSchema
    /// The row groups of the root.
    let directory: Directory
    /// One rule per property, in the order of the schema.
    let rules: [Rule]
    /// Per property, whether a value of its type is stored unchanged and affects nothing else.
    let isPlain: [Bool]
    /// The indices of the properties that may link.
    let linkColumns: [Int]
    let keyColumn: Int?
    /// The unique indexes, with the columns of their properties.
    let uniqueIndexes: [(encoder: IndexEncoder, columns: [Int])]
    /// Per property, whether a unique index has it.
    let isUnique: [Bool]
    /// The number of links that new objects added, by column.
    var addedLinkCounts: [Int]
    /// The state of the catalog for which the cache is valid.
    let catalogState: UInt64
    /// The identity of the next object in the catalog of the root.
    let nextRowID: RowID

    init(_ record: ClassRecord, _ directory: Directory, catalogState: UInt64) {
        self.record = record
        self.directory = directory
        schema = record.schema
        rules = schema.properties.map { Rule($0) }
        linkColumns = schema.properties.indices.filter { record.schema.properties[$0].mayLink }
        addedLinkCounts = Array(repeating: 0, count: schema.properties.count)
        let keyColumn = schema.key.flatMap { record.schema.index(of: $0) }
        self.keyColumn = keyColumn
        let uniqueIndexes = record.schema.indexes.filter(\.isUnique).map { index in
            (
                encoder: IndexEncoder(index, of: record.schema),
                columns: index.properties.compactMap { record.schema.index(of: $0) }
            )
        }
        self.uniqueIndexes = uniqueIndexes
        isUnique = record.schema.properties.indices.map { column in
            uniqueIndexes.contains { $0.columns.contains(column) }
        }
        isPlain = rules.enumerated().map { column, rule in
            (rule.isPlain || rule.isText) && column != keyColumn
        }
        nextRowID = record.nextRowID
        self.catalogState = catalogState
    }
}

extension WriteTransaction {
    func plan(of classID: ClassID) throws(StoreError) -> ClassWriteCache {
        if let plan = lastPlan, plan.schema.id == classID,
            plan.catalogState == overlay.catalogState
        {
            return plan
        }
        let plan: ClassWriteCache
        if let known = plans[classID], known.catalogState == overlay.catalogState {
            plan = known
        } else {
            let record = try record(classID)
            let directory = Directory(
                root: base.root.catalog[classID]?.directory, schema: record.schema,
                pages: store.pages)
            plan = ClassWriteCache(record, directory, catalogState: overlay.catalogState)
            plans[classID] = plan
        }
        lastPlan = plan
        return plan
    }

    /// Discards the caches, whenever the base or the overlay is replaced.
    func forgetPlans() {
        plans = [:]
        lastPlan = nil
    }
}
