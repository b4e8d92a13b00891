import FirnEngine
import FirnQuery
import FirnValues

/// The objects that a chain of filters, sorts and so on gives.
final class ResultsCore: _CollectionCore {
    /// What the chain begins with.
    enum Source {
        /// All objects of the class.
        case all
        /// The elements of another collection, in their order.
        case collection(_CollectionCore)
    }

    let source: Source
    /// Of the elements, as the database knows it.
    let stages: [BoundStage]
    private let objectClass: ClassSchema

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

    override var count: Int {
        guard case .all = source, stages.isEmpty else { return super.count }
        return instance.reading("counting \(objectClass.name)") { () throws(StoreError) in
            guard !instance.isInvalidated else { return 0 }
            return try instance.currentSnapshot().snapshot.table(objectClass.id)?.liveRowCount ?? 0
        }
    }

    override func load() throws(StoreError) -> CollectionContent {
        guard !instance.isInvalidated else { return .objects([]) }
        var candidates: [RowID]?
        if case .collection(let collection) = source {
            guard try collection.findIsValid() else { return .objects([]) }
            guard case .objects(let rows) = try collection.load() else {
                misuse("a query over elements that are no objects")
            }
            candidates = rows
        }
        let query = BoundQuery(
            classSchema: objectClass, stages: stages, explain: false, text: "")
        let snapshot = try instance.currentSnapshot()
        do throws(QueryFailure) {
            return .objects(try snapshot.rowIDs(query, among: candidates))
        } catch {
            switch error {
            case .store(let error): throw error
            case .query(let error): misuse("a query cannot be run: \(error.message)")
            }
        }
    }

    /// The same chain with more stages behind it.
    func adding(_ more: [BoundStage]) -> ResultsCore {
        var stages = self.stages
        for stage in more {
            // Two sorts side by side are one, the later in front.
            if case .sort(let later) = stage, case .sort(let earlier)? = stages.last {
                stages[stages.count - 1] = .sort(later + earlier)
            } else {
                stages.append(stage)
            }
        }
        return ResultsCore(instance, objectClass, source, stages)
    }

    /// The stages that a text means: a predicate, with SORT, DISTINCT and LIMIT behind it.
    func stages(_ text: String, _ arguments: [Any]) -> [BoundStage] {
        let context = BindingContext(
            schema: instance.snapshot.schema, defaultClass: objectClass.name,
            positional: arguments.map { instance.argument($0) }, now: instance.snapshot.now)
        do throws(QueryError) {
            return try BoundQuery(text, entry: .predicate, in: context).stages
        } catch {
            misuse("the query \"\(text)\" is wrong: \(error.message)")
        }
    }
}

extension RealmInstance {
    /// An argument of a query text as a value.
    func argument(_ argument: Any) -> Value {
        if let object = argument as? ObjectBase {
            guard let access = object.access, access.instance.file === file else {
                misuse("an argument of a query is an object of another realm, or of none")
            }
            return .link(access.reference)
        }
        if isNothing(argument) { return .null }
        if let value = argument as? any RealmCollectionValue {
            return value._encode(.unattached).value
        }
        if let values = argument as? any Sequence {
            return .list(values.map { self.argument($0) })
        }
        misuse("\(type(of: argument)) cannot be an argument of a query")
    }
}
