import FirnEngine
import FirnQuery
import FirnValues

/// The classes of a file that its subscriptions select, with their conditions.
struct Subset: Sendable {
    /// A subscribed class and the queries of its subscriptions, any of which selects an object.
    struct Part: Sendable {
        var type: SyncedClass
        let predicates: [BoundPredicate]
    }

    private(set) var parts: [Part]
    let queries: SubscribedQueries

    var classes: [SyncedClass] { parts.map(\.type) }

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
        for (name, texts) in queries.classes.sorted(by: { $0.key < $1.key }) {
            guard let schema = snapshot.schema.classNamed(name) else {
                throw UpstreamError(
                    .schema, "a subscription names the class \(name), which the file does not have")
            }
            let type = try SyncedClass(schema, in: snapshot.schema)
            var predicates: [BoundPredicate] = []
            for text in texts.sorted() {
                let predicate = try Subset.predicate(text, in: database)
                try PredicateSQL.check(predicate, of: type)
                predicates.append(predicate)
            }
            parts.append(Part(type: type, predicates: predicates))
        }
        self.parts = parts
        self.queries = queries
    }

    /// Returns the subset with the names that the server has for its tables and columns.
    func resolved(
        _ columns: ColumnMap, in layout: ServerLayout
    ) throws(UpstreamError) -> Subset {
        var resolved = self
        let types = try columns.resolve(classes, in: layout)
        for (index, type) in types.enumerated() { resolved.parts[index].type = type }
        return resolved
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
