import FirnValues

/// What the operations of a transaction on one class ask again and again.
final class ClassWriteCache {
    /// How to see quickly that a property can have a value; whoever fails is looked at properly.
    struct Rule {
        let tag: ValueTag
        let mayBeNull: Bool
        /// Whether every value of the type will do.
        let isPlain: Bool
        /// Whether a text or bytes of few bytes will do.
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

        static let textByteCount = 1 << 20
    }

    let record: ClassRecord
    let schema: ClassSchema
    /// The row groups of the root.
    let directory: Directory
    /// One per property, in the order of the schema.
    let rules: [Rule]
    /// Per property, whether a value of its kind will do as it is, and nothing depends on it.
    let isPlain: [Bool]
    /// The places of the properties that may link.
    let linkPlaces: [Int]
    let keyPlace: Int?
    /// The state of the catalog that this is about.
    let catalogState: UInt64
    /// The identity of the next object as the catalog of the root has it.
    let nextRowID: RowID

    init(_ record: ClassRecord, _ directory: Directory, catalogState: UInt64) {
        self.record = record
        self.directory = directory
        schema = record.schema
        rules = schema.properties.map { Rule($0) }
        linkPlaces = schema.properties.indices.filter { record.schema.properties[$0].mayLink }
        let keyPlace = schema.key.flatMap { record.schema.index(of: $0) }
        self.keyPlace = keyPlace
        isPlain = rules.enumerated().map { place, rule in
            (rule.isPlain || rule.isText) && place != keyPlace
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

    /// To be called whenever the base or the overlay gives way to another.
    func forgetPlans() {
        plans = [:]
        lastPlan = nil
    }
}
