import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// The classes of a file that its subscriptions select, with their conditions.
struct Subset: Sendable {
    /// A subscribed class and the queries of its subscriptions, any of which selects an object.
    struct Part: Sendable {
        var type: SyncedClass
        let predicates: [BoundPredicate]
    }

    private(set) var parts: [Part]
    /// The classes to which links of the conditions lead, by their identity.
    private(set) var targets: [ClassID: SyncedClass]
    let queries: SubscribedQueries

    /// The subscribed classes.
    var classes: [SyncedClass] { parts.map(\.type) }

    /// The subscribed classes and those that only their conditions read.
    var readClasses: [SyncedClass] {
        classes
            + targets.values
            .filter { target in !parts.contains { $0.type.schema.id == target.schema.id } }
            .sorted { $0.schema.id < $1.schema.id }
    }

    /// Binds the subscriptions of a version of the file.
    ///
    /// - Throws: ``UpstreamError`` for a subscription whose class cannot be replicated, or whose
    ///   condition the server cannot evaluate exactly.
    init(_ database: DatabaseSnapshot) throws(UpstreamError) {
        let snapshot = database.snapshot
        let list = try UpstreamError.converting { () throws(StoreError) in
            try StoredSubscriptions(snapshot, path: snapshot.path).list
        }
        var queries = SubscribedQueries()
        for record in list.records { queries.add(record.query, of: record.className) }
        var parts: [Part] = []
        var targets: [ClassID: SyncedClass] = [:]
        for (name, texts) in queries.classes.sorted(by: { $0.key < $1.key }) {
            guard let schema = snapshot.schema.classNamed(name) else {
                throw UpstreamError(
                    .schema, "a subscription names the class \(name), which the file does not have")
            }
            let type = try SyncedClass(schema, in: snapshot.schema)
            var predicates: [BoundPredicate] = []
            for text in texts.sorted() {
                let predicate = try Subset.predicate(text, in: database)
                let reached = try PredicateSQL.check(predicate, of: type, in: snapshot.schema)
                targets.merge(reached) { first, _ in first }
                predicates.append(predicate)
            }
            parts.append(Part(type: type, predicates: predicates))
        }
        self.parts = parts
        self.targets = targets
        self.queries = queries
    }

    /// Returns the subset with the names that the server has for its tables and columns.
    func resolved(
        _ columns: ColumnMap, in layout: ServerLayout
    ) throws(UpstreamError) -> Subset {
        var resolved = self
        let types = try columns.resolve(classes, in: layout)
        for (index, type) in types.enumerated() { resolved.parts[index].type = type }
        for type in try columns.resolve(Array(targets.values), in: layout) {
            resolved.targets[type.schema.id] = type
        }
        return resolved
    }

    /// Returns the condition of the rows of a class that the subset contains.
    func condition(
        of part: Part, after parameters: [String?] = []
    ) throws(UpstreamError) -> PredicateSQL.Condition {
        try PredicateSQL.condition(
            part.predicates, of: part.type, among: targets, after: parameters)
    }

    /// Returns statements that yield the keys of the objects of a class that depend on objects of
    /// other classes.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the others.
    ///   - keys: Returns a statement with the keys of some of their objects.
    func owners(
        of part: Part, linkingTo numbers: Set<Int>, keys: (SyncedClass) -> String
    ) -> [String] {
        guard !numbers.isEmpty else { return [] }
        return Set(part.predicates.flatMap(\.linkPaths)).compactMap { path in
            path.owners(of: part.type, among: targets) { target in
                numbers.contains(target.number ?? 0) ? keys(target) : nil
            }
        }
    }

    /// Whether the conditions of a class read a table or a column other than the one that a file
    /// knows.
    func reads(
        of part: Part, changedSince columns: ColumnMap, _ layout: ServerLayout
    ) -> Bool {
        let read = Set(part.predicates.flatMap(\.linkPaths).flatMap(\.links).map(\.target.id))
        return targets.values.contains { target in
            read.contains(target.schema.id) && columns.tables[target.schema.id] != nil
                && !columns.isCurrent([target], in: layout)
        }
    }

    private static func predicate(
        _ text: String, in database: DatabaseSnapshot
    ) throws(UpstreamError) -> BoundPredicate {
        let query: BoundQuery
        do { query = try database.bound(text) } catch {
            switch error {
            case .store(let error): throw UpstreamError(error)
            case .query(let error):
                throw UpstreamError(
                    .schema, "the subscription \(text) is invalid: \(error.message)")
            }
        }
        return try PredicateSQL.predicate(of: query)
    }
}
