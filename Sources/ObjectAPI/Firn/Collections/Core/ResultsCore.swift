import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// The objects that result from a chain of filters, sorts and other stages.
final class ResultsCore: _CollectionCore {
    /// The source of the chain.
    enum Source {
        /// All objects of the class.
        case all
        /// The elements of another collection, in their order.
        case collection(_CollectionCore)
    }

    let source: Source
    /// The stages of the chain, with properties as the database identifies them.
    let stages: [BoundStage]
    let objectClass: ClassSchema
    /// The identifier of the subscription that was created for the results.
    var subscription: FirnValues.UUID?
    /// The first objects, if only they were found, in the epoch ``headEpoch``.
    private var head: [RowID] = []
    private var headEpoch: UInt64 = 0

    init(
        _ instance: RealmInstance, _ objectClass: ClassSchema, _ source: Source,
        _ stages: [BoundStage] = []
    ) {
        self.objectClass = objectClass
        self.source = source
        self.stages = stages
        super.init(instance, elementClass: objectClass)
    }

    override var name: String { "result of \(objectClass.name)" }

    override func findIsValid() throws(StoreError) -> Bool {
        if case .collection(let collection) = source { return try collection.findIsValid() }
        return try super.findIsValid()
    }

    override func moved(to instance: RealmInstance) -> _CollectionCore {
        let source: Source =
            switch source {
            case .all: .all
            case .collection(let collection): .collection(collection.moved(to: instance))
            }
        return ResultsCore(instance, objectClass, source, stages)
    }

    override func isSame(as other: _CollectionCore) -> Bool {
        guard let other = other as? ResultsCore, instance === other.instance,
            objectClass.id == other.objectClass.id, stages == other.stages
        else { return false }
        switch (source, other.source) {
        case (.all, .all): return true
        case (.collection(let first), .collection(let second)): return first.isSame(as: second)
        default: return false
        }
    }

    /// Whether the collection has all objects of the class, in their order in the file.
    private var isWholeClass: Bool {
        if case .all = source { stages.isEmpty } else { false }
    }

    override var count: Int {
        guard isWholeClass else { return super.count }
        return instance.reading("counting \(objectClass.name)") { () throws(StoreError) in
            guard !isStale else { return 0 }
            return try instance.currentSnapshot().snapshot.table(objectClass.id)?.liveRowCount ?? 0
        }
    }

    override func load() throws(StoreError) -> CollectionContent {
        .objects(ObjectRows(try rows([])))
    }

    /// Finds only the first object.
    override var storedFirst: _StoredValue? {
        instance.reading("reading a \(name)") { () throws(StoreError) in
            var first: RowID?
            if case .objects(let rows)? = knownContent {
                first = rows.first
            } else {
                first = try rows([.limit(1)]).first
            }
            return first.map {
                _StoredValue(.link(ObjectReference(classID: objectClass.id, rowID: $0)))
            }
        }
    }

    /// Finds only the first objects, up to a number.
    ///
    /// - Returns: The number of objects that were found.
    func findFirst(_ countMax: Int) -> Int {
        instance.reading("reading a \(name)") { () throws(StoreError) in
            if let known = knownContent { return min(countMax, known.count) }
            if headEpoch != instance.epoch || head.count < countMax {
                head = try rows([.limit(countMax)])
                headEpoch = instance.epoch
            }
            return min(countMax, head.count)
        }
    }

    override func stored(_ index: Int) -> _StoredValue {
        let found = instance.reading("reading a \(name)") { () throws(StoreError) -> RowID? in
            guard knownContent == nil, headEpoch == instance.epoch, head.indices.contains(index)
            else { return nil }
            return head[index]
        }
        guard let found else { return super.stored(index) }
        return _StoredValue(.link(ObjectReference(classID: objectClass.id, rowID: found)))
    }

    override func forget() {
        super.forget()
        head = []
    }

    // MARK: Running

    /// Returns the rows of the chain, extended by more stages.
    func rows(_ more: [BoundStage]) throws(StoreError) -> [RowID] {
        try run(more, none: []) { snapshot, query, candidates throws(QueryFailure) in
            try snapshot.rowIDs(query, among: candidates)
        }
    }

    /// Returns the values, column by column, of the chain extended by stages that end in values.
    func values(_ more: [BoundStage]) throws(StoreError) -> [[Value]]? {
        try run(more, none: nil) { snapshot, query, candidates throws(QueryFailure) in
            try snapshot.values(query, among: candidates)
        }
    }

    private func run<Result>(
        _ more: [BoundStage], none: Result,
        _ body: (DatabaseSnapshot, BoundQuery, [RowID]?) throws(QueryFailure) -> Result
    ) throws(StoreError) -> Result {
        guard !isStale else { return none }
        var candidates: [RowID]?
        var stages = self.stages
        if !isWholeClass, case .objects(let rows)? = knownContent {
            // Objects that were already found are reused.
            candidates = Array(rows)
            stages = []
        } else if case .collection(let collection) = source {
            guard try collection.findIsValid() else { return none }
            guard case .objects(let rows) = try collection.contentHere() else {
                misuse("a query over elements that are not objects")
            }
            candidates = Array(rows)
        }
        let query = BoundQuery(
            classSchema: objectClass, stages: stages.joined(with: more), explain: false, text: "")
        let snapshot = try instance.currentSnapshot()
        // The file lacked the class when this was created, and its schema has changed since.
        if objectClass.id.isImagined, snapshot.schema[objectClass.id] == nil { return none }
        do {
            return try body(snapshot, query, candidates)
        } catch {
            switch error {
            case .store(let error): throw error
            case .query(let error): misuse("a query cannot be run: \(error.message)")
            }
        }
    }

    /// Returns the position of an object, if that can be found without the others.
    func position(of row: RowID) throws(StoreError) -> Int? {
        guard knownContent == nil, case .all = source else { return nil }
        return try run([], none: nil) { snapshot, query, _ throws(QueryFailure) in
            try snapshot.position(of: row, in: query)
        }
    }

    /// Returns the same chain, extended by more stages.
    func adding(_ more: [BoundStage]) -> ResultsCore {
        let chain = ResultsCore(instance, objectClass, source, stages.joined(with: more))
        chain.madeIn = madeIn
        return chain
    }
}

extension [BoundStage] {
    /// Returns these stages, extended by more.
    ///
    /// The later of two adjacent sorts takes precedence.
    fileprivate func joined(with more: [BoundStage]) -> [BoundStage] {
        var stages = self
        for stage in more {
            if case .sort(let later) = stage, case .sort(let earlier)? = stages.last {
                stages[stages.count - 1] = .sort(
                    later
                        + earlier.filter { key in
                            !later.contains { $0.expression == key.expression }
                        })
            } else {
                stages.append(stage)
            }
        }
        return stages
    }
}

extension _CollectionCore {
    /// Returns this collection if it is already a chain of query stages, or a new chain that starts
    /// with it.
    final func chain(for work: @autoclosure () -> String) -> ResultsCore {
        if let chain = self as? ResultsCore { return chain }
        guard let elementClass else {
            misuse(
                "\(work()) is for collections of objects: \(name) has values; read them with an "
                    + "ordinary loop, filter or map of Swift")
        }
        return ResultsCore(instance, elementClass, .collection(self))
    }
}
