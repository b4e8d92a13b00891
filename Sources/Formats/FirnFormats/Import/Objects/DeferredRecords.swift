package import FirnEngine
package import FirnText
import FirnValues

/// Records with links to objects that may come later.
///
/// They are deferred until the end of their transaction because they can still be rejected.
package final class DeferredRecords {
    /// A record, and the links whose targets do not exist yet.
    package struct Item {
        package let record: ImportRecord
        package let schema: ClassSchema
        package let policy: PutPolicy
        package let identity: JSONTree?
        /// The name of the input.
        package let input: String
        fileprivate let names: Set<ObjectName>
        fileprivate let missing: [(name: PendingName, property: PropertySchema)]
    }

    /// A record with a link to an object that does not exist.
    package struct Dangling {
        package let item: Item
        package let name: PendingName
        package let property: PropertySchema
    }

    package init() {}

    private var items: [Item] = []
    /// The names of the objects that the records write.
    private var deferredNames: Set<ObjectName> = []

    /// Whether a deferred record writes an object, so that what comes later must wait for it.
    package func writes(_ name: ObjectName) -> Bool { deferredNames.contains(name) }

    /// Defers a record if a target of its links is missing, or an earlier record of the same object
    /// is deferred.
    ///
    /// - Returns: whether it was deferred.
    package func keep(
        _ plan: ObjectPlan, _ record: ImportRecord, _ schema: ClassSchema, _ policy: PutPolicy,
        identity: JSONTree?, from input: String
    ) -> Bool {
        var names: Set<ObjectName> = []
        plan.visitNames { names.insert($0) }
        var missing: [(name: PendingName, property: PropertySchema)] = []
        plan.visitPending { if !names.contains($0.name) { missing.append(($0, $1)) } }
        guard !missing.isEmpty || !names.isDisjoint(with: deferredNames) else { return false }
        deferredNames.formUnion(names)
        items.append(
            Item(
                record: record, schema: schema, policy: policy, identity: identity, input: input,
                names: names, missing: missing))
        return true
    }

    /// Removes all records, and returns those that can be written and those that cannot.
    ///
    /// Deferred records can link to each other, so the first are the largest set of records whose
    /// links lead only to existing objects and to each other.
    ///
    /// - Parameter exists: whether an object exists.
    package func settle<Failure: Error>(
        _ exists: (ObjectName) throws(Failure) -> Bool
    ) throws(Failure) -> (complete: [Item], dangling: [Dangling]) {
        var waiting = items
        items.removeAll()
        deferredNames.removeAll()
        var dangling: [Dangling] = []
        while true {
            let names = waiting.reduce(into: Set<ObjectName>()) { $0.formUnion($1.names) }
            var remaining: [Item] = []
            for item in waiting {
                if let missing = try firstMissing(item, names, exists) {
                    dangling.append(
                        Dangling(item: item, name: missing.name, property: missing.property))
                } else {
                    remaining.append(item)
                }
            }
            let isStable = remaining.count == waiting.count
            waiting = remaining
            if isStable { return (waiting, dangling) }
        }
    }

    private func firstMissing<Failure: Error>(
        _ item: Item, _ names: Set<ObjectName>, _ exists: (ObjectName) throws(Failure) -> Bool
    ) throws(Failure) -> (name: PendingName, property: PropertySchema)? {
        for missing in item.missing where !names.contains(missing.name.name) {
            if try !exists(missing.name.name) { return missing }
        }
        return nil
    }
}
