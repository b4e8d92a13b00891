import FirnEngine
import FirnQuery
import FirnValues

/// The observed result, at the version of the stream.
protocol ObservedSubject: AnyObject {
    /// The columns of each class, in the order of the schema; one class for a query.
    var shapes: [ObjectShape] { get }
    /// The conditions and the order of the query in canonical form; `nil` for all classes.
    var queryText: String? { get }

    /// Returns the number of objects.
    func count(in snapshot: DatabaseSnapshot) -> Int

    /// Returns the objects of each class in order, for one pass.
    func contents(in snapshot: DatabaseSnapshot) throws(QueryFailure) -> [SubjectContent]

    /// Moves to another version.
    ///
    /// - Returns: `nil` if none of the observed objects changed.
    func advance(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot, by changes: VersionChanges
    ) throws(QueryFailure) -> ObservedChange?
}

/// The objects of one class, by their positions.
struct SubjectContent {
    let shape: ObjectShape
    /// Whether the positions are meaningful to the user.
    let hasIndices: Bool
    fileprivate let live: LiveQuery

    var count: Int { live.count }

    func rows(_ range: Range<Int>) -> [RowID] { live.rowIDs(range) }
}

/// The result of a query.
final class QuerySubject: ObservedSubject {
    let shapes: [ObjectShape]
    let queryText: String?
    /// The whole query.
    let query: BoundQuery
    private let shape: ObjectShape
    private let live: LiveQuery

    init(_ query: BoundQuery, on snapshot: DatabaseSnapshot) throws(QueryFailure) {
        try QuerySubject.checkRows(of: query)
        self.query = query
        shape = ObjectShape(query, in: snapshot.schema)
        shapes = [shape]
        let stages = query.stages.filter { if case .project = $0 { false } else { true } }
        queryText = stages.map(\.description).joined(separator: " | ")
        live = try LiveQuery(
            BoundQuery(
                classSchema: query.classSchema, stages: stages, explain: false, text: query.text),
            on: snapshot, observing: shape.observed)
    }

    /// Rejects queries that return values, because no line could name the changed object.
    private static func checkRows(of query: BoundQuery) throws(QueryFailure) {
        var isValues = query.explain
        for stage in query.stages {
            switch stage {
            case .aggregate, .group, .count, .exists, .chart: isValues = true
            case .filter, .sort, .distinct, .limit, .skip, .project, .first, .last: break
            }
        }
        guard isValues else { return }
        throw .query(
            QueryError(
                .usage, "only objects can be observed, not aggregate values",
                at: 0..<query.text.utf8.count,
                hint: "--until tests aggregate values, such as 'count == 0'"))
    }

    func count(in snapshot: DatabaseSnapshot) -> Int { live.count }

    func contents(in snapshot: DatabaseSnapshot) -> [SubjectContent] {
        [SubjectContent(shape: shape, hasIndices: true, live: live)]
    }

    func advance(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot, by changes: VersionChanges
    ) throws(QueryFailure) -> ObservedChange? {
        let step = LiveStep(from: old, to: new, by: changes)
        guard let change = try live.advance(step) else { return nil }
        let set = change.changes
        let movedFrom = Set(set.moves.map(\.from))
        let movedTo = Set(set.moves.map(\.to))
        var part = ObservedChange.Part(shape: shape)
        part.deletions = zip(set.deletions, change.deleted).map { index, item in
            ObservedChange.Deletion(
                row: item.row, index: index, isGone: item.isGone,
                isMoved: movedFrom.contains(index))
        }
        part.insertions = zip(set.insertions, change.inserted).map { index, item in
            ObservedChange.Insertion(
                row: item.row, index: index, isNew: item.isNew, isMoved: movedTo.contains(index))
        }
        part.modifications = zip(set.modifications, change.modified).map { index, item in
            ObservedChange.Modification(
                row: item.row, indices: (index, item.to), properties: item.properties)
        }
        return ObservedChange([part])
    }
}

/// All objects of all classes.
final class DatabaseSubject: ObservedSubject {
    let shapes: [ObjectShape]
    let queryText: String? = nil

    init(_ snapshot: DatabaseSnapshot) {
        shapes = snapshot.schema.listedClasses.filter { !$0.isEmbedded }
            .map { ObjectShape($0, in: snapshot.schema) }
    }

    func count(in snapshot: DatabaseSnapshot) -> Int {
        shapes.reduce(0) { sum, shape in
            sum + (snapshot.snapshot.table(shape.classSchema.id)?.liveRowCount ?? 0)
        }
    }

    func contents(in snapshot: DatabaseSnapshot) throws(QueryFailure) -> [SubjectContent] {
        var contents: [SubjectContent] = []
        for shape in shapes {
            let all = BoundQuery(
                classSchema: shape.classSchema, stages: [], explain: false,
                text: shape.classSchema.name)
            contents.append(
                SubjectContent(
                    shape: shape, hasIndices: false,
                    live: try LiveQuery(all, on: snapshot, observing: .membership)))
        }
        return contents
    }

    func advance(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot, by changes: VersionChanges
    ) throws(QueryFailure) -> ObservedChange? {
        let owners: EmbeddedOwners
        do { owners = try EmbeddedOwners(of: changes, in: new.snapshot) } catch {
            throw .store(error)
        }
        let parts = shapes.map { shape in
            var part = ObservedChange.Part(shape: shape)
            let changed = changes.classes[shape.classSchema.id] ?? ClassChanges()
            part.deletions = changed.deleted.map { .init(row: $0, isGone: true) }
            part.insertions = changed.created.map { .init(row: $0, isNew: true) }
            part.modifications = owners.modified(changed, of: shape.classSchema.id)
                .map { .init(row: $0.row, properties: $0.properties) }
            return part
        }
        let change = ObservedChange(parts)
        return change.isEmpty ? nil : change
    }
}
