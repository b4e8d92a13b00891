import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// The observed result, at the version of the stream.
protocol ObservedSubject: AnyObject {
    /// The columns of each class, in the order of the schema; one class for a query.
    var shapes: [ObjectShape] { get }
    /// The conditions and the order of the query in canonical form, and for values its class;
    /// `nil` for all classes.
    var queryText: String? { get }
    /// The reason why the query is run again after a commit; `nil` if it is not.
    var reasonToRunAgain: String? { get }

    /// Returns the number of objects or rows.
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

extension ObservedSubject {
    var reasonToRunAgain: String? { nil }
}

/// The objects of one class or the rows of values, by their positions.
struct SubjectContent {
    private enum Source {
        case objects(LiveQuery)
        case values(NumberedRows)
    }

    let shape: ObjectShape
    /// Whether the positions are meaningful to the user.
    let hasIndices: Bool
    private let source: Source

    fileprivate init(shape: ObjectShape, hasIndices: Bool, live: LiveQuery) {
        self.shape = shape
        self.hasIndices = hasIndices
        source = .objects(live)
    }

    init(shape: ObjectShape, values: NumberedRows) {
        self.shape = shape
        hasIndices = true
        source = .values(values)
    }

    var count: Int {
        switch source {
        case .objects(let live): live.count
        case .values(let values): values.rows.count
        }
    }

    func rows(_ range: Range<Int>) -> [RowID] {
        switch source {
        case .objects(let live): live.rowIDs(range)
        case .values(let values): Array(values.rows[range])
        }
    }

    /// Returns what the rows contain at the version of the content.
    func contents(in snapshot: DatabaseSnapshot) -> RowContents {
        if case .values(let values) = source { return RowContents(snapshot, values) }
        return RowContents(snapshot)
    }
}

/// The objects of a query.
final class QuerySubject: ObservedSubject {
    let shapes: [ObjectShape]
    let queryText: String?
    /// The whole query.
    let query: BoundQuery
    private let shape: ObjectShape
    private let live: LiveQuery

    init(_ query: BoundQuery, on snapshot: DatabaseSnapshot) throws(QueryFailure) {
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

extension BoundQuery {
    /// Returns the observed result of the query.
    func observed(on snapshot: DatabaseSnapshot) throws(QueryFailure) -> any ObservedSubject {
        let unobservable: String? =
            switch stages.last {
            case _ where explain: "a plan"
            case .chart?: "a chart"
            case .pivot?: "a pivot"
            default: nil
            }
        if let unobservable {
            throw .query(
                QueryError(
                    .usage, "\(unobservable) cannot be observed", at: 0..<text.utf8.count,
                    hint: "observe the query without its last stage"))
        }
        guard LiveValues.applies(to: self) else { return try QuerySubject(self, on: snapshot) }
        return try ValuesSubject(self, on: snapshot)
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
