import FirnEngine
import FirnQuery
import FirnValues

/// The elements of a collection, kept up to date step by step.
protocol LiveElements {
    /// Returns the change that a step made, or `nil` if nothing that is observed changed.
    func advance(_ step: ObservedStep) throws(StoreError) -> ElementsChange?
}

/// The changes of one step to the elements of a collection.
struct ElementsChange {
    let set: ChangeSet
    /// The changed objects, or `nil` for values.
    var objects: LiveChange?
}

extension _CollectionCore {
    /// Returns an object that follows the elements from a version on.
    ///
    /// - Parameter snapshot: The version that the realm shows.
    final func live(
        _ paths: ObservedPaths, on snapshot: DatabaseSnapshot
    ) throws(StoreError) -> any LiveElements {
        if let results = self as? ResultsCore, let source = results.source.live {
            let query = BoundQuery(
                classSchema: results.objectClass, stages: results.stages, explain: false, text: "")
            return try RowElements(query, source, paths, snapshot)
        }
        if let elementClass, let source = ResultsCore.Source.collection(self).live {
            let query = BoundQuery(
                classSchema: elementClass, stages: [], explain: false, text: "")
            return try RowElements(query, source, paths, snapshot)
        }
        if let property = self as? PropertyCore {
            return ValueElements(
                LiveCollection(
                    of: property.ownerReference, property.property, on: snapshot, observing: paths))
        }
        return try ComparedElements(self)
    }
}

extension ResultsCore.Source {
    /// The corresponding source of a live query, or `nil` if live queries have none.
    fileprivate var live: LiveSource? {
        guard case .collection(let core) = self else { return .objects }
        if let values = core as? MapValuesCore {
            return ResultsCore.Source.collection(values.map).live
        }
        if let linking = core as? LinkingCore {
            return .sources(
                of: ObjectReference(classID: linking.owner.schema.id, rowID: linking.row),
                linking.property, linking.source)
        }
        guard let property = core as? PropertyCore else { return nil }
        return .elements(of: property.ownerReference, property.property)
    }
}

extension PropertyCore {
    var ownerReference: ObjectReference { ObjectReference(classID: owner.schema.id, rowID: row) }
}

/// The objects of a query, a list, a set or an inverse.
private struct RowElements: LiveElements {
    private let query: LiveQuery

    init(
        _ query: BoundQuery, _ source: LiveSource, _ paths: ObservedPaths,
        _ snapshot: DatabaseSnapshot
    ) throws(StoreError) {
        self.query = try StoreError.querying(
            LiveQuery(query, on: snapshot, among: source, observing: paths))
    }

    func advance(_ step: ObservedStep) throws(StoreError) -> ElementsChange? {
        try StoreError.querying(
            query.advance(step.live).map { ElementsChange(set: $0.changes, objects: $0) })
    }
}

/// The values of a list or set.
private struct ValueElements: LiveElements {
    private let collection: LiveCollection

    init(_ collection: LiveCollection) { self.collection = collection }

    func advance(_ step: ObservedStep) throws(StoreError) -> ElementsChange? {
        let change = try StoreError.querying(collection.advance(step.live))
        if case .elements(let changes)? = change { return ElementsChange(set: changes) }
        return nil
    }
}

/// Elements that are compared with their previous values.
///
/// These are sorted and distinct values, and the elements inside a value of type Any.
private final class ComparedElements: LiveElements {
    private let core: _CollectionCore
    private var values: [Value]

    init(_ core: _CollectionCore) throws(StoreError) {
        self.core = core
        values = try core.valuesNow()
    }

    func advance(_ step: ObservedStep) throws(StoreError) -> ElementsChange? {
        guard core.isTouched(by: step.changes) else { return nil }
        let before = values
        values = try core.valuesNow()
        let set = ChangeSet.difference(from: before, to: values)
        // A list has its own order, in which an element can be replaced.
        return ElementsChange(set: core is NestedCore ? set.pairingReplacements : set)
    }
}

extension _CollectionCore {
    /// Returns the elements as values, or an empty array if their owner is gone.
    fileprivate func valuesNow() throws(StoreError) -> [Value] {
        guard try findIsValid() else { return [] }
        switch try contentHere() {
        case .values(let values): return values
        case .objects(let rows):
            guard let elementClass else { return [] }
            return rows.map { .link(ObjectReference(classID: elementClass.id, rowID: $0)) }
        }
    }

    /// Returns whether a change may affect the elements.
    fileprivate func isTouched(by changes: VersionChanges) -> Bool {
        guard let (object, property) = stored else { return true }
        guard let written = changes.classes[object.classID] else { return false }
        return written.deleted.contains(object.rowID)
            || written.modified.contains {
                $0.row == object.rowID && $0.properties.contains(property)
            }
    }

    /// The stored property that the elements ultimately come from.
    private var stored: (ObjectReference, PropertyID)? {
        switch self {
        case let values as ValuesCore: return values.source.stored
        case let values as MapValuesCore: return values.map.stored
        case let property as PropertyCore:
            return (property.ownerReference, property.property.id)
        case let core as NestedCore:
            let owner = ObjectReference(
                classID: core.nested.owner.schema.id, rowID: core.nested.row)
            return (owner, core.nested.property.id)
        default: return nil
        }
    }
}
