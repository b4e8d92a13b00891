package import FirnEngine
package import FirnValues

/// One object, maintained from the changes of commits.
///
/// It holds no values of the object. It must be used by one thread at a time.
package final class LiveObject {
    package enum Change: Hashable, Sendable {
        /// The object was deleted.
        case deleted
        /// An observed property was written.
        ///
        /// - Parameters:
        ///   - properties: the properties of the object through which the change is visible: its
        ///     own, and the links that lead to the objects that were written.
        ///   - inverses: the inverse properties of the object that lead to the change.
        case modified(properties: PropertySet, inverses: TextSet)
    }

    private let object: ObjectReference
    /// The observed properties of the object and, through its links, of others; `nil` if there are
    /// none.
    private let graph: WatchedGraph?
    /// The properties observed through each inverse property.
    private let inverses: [(name: String, graph: WatchedGraph)]

    /// Creates a live object.
    ///
    /// - Parameters:
    ///   - object: an object of the class `root`.
    ///   - paths: the changes that count as a modification. With ``ObservedPaths/membership``, only
    ///     the deletion of the object is observed.
    package init(
        _ object: ObjectReference, _ root: ClassSchema, observing paths: ObservedPaths,
        in schema: Schema
    ) {
        self.object = object
        guard case .paths(let all) = paths else {
            graph = WatchedGraph(paths, of: root, in: schema)
            inverses = []
            return
        }
        var own: [BoundPath] = []
        var groups: TextMap<[BoundPath]> = [:]
        for path in all {
            if let name = path.inverseName {
                groups[name, default: []].append(path)
            } else {
                own.append(path)
            }
        }
        graph = WatchedGraph(.paths(own), of: root, in: schema)
        inverses = groups.compactMap { name, paths in
            WatchedGraph(.paths(paths), of: root, in: schema).map { (name, $0) }
        }
    }

    /// Returns the change to the object in a step.
    ///
    /// - Returns: `nil` if no observed change occurred.
    /// - Complexity: O(log k) for k written objects; O(k log n) if other objects are observed
    package func advance(_ step: LiveStep) throws(StoreError) -> Change? {
        let written = step.changes.classes[object.classID]
        if written?.deleted.containsAscending(object.rowID) == true { return .deleted }
        var properties = PropertySet()
        if let graph {
            if graph.leavesRoot {
                properties = try step.affected(graph)[object.rowID] ?? properties
            } else if let own = written?.modification(of: object.rowID) {
                properties = graph.root.watched(of: own) ?? properties
            }
        }
        var names: TextSet = []
        for (name, graph) in inverses
        where try step.affected(graph)[object.rowID] != nil { names.insert(name) }
        if properties.isEmpty, names.isEmpty { return nil }
        return .modified(properties: properties, inverses: names)
    }
}

extension BoundPath {
    /// The inverse property that the path begins with.
    fileprivate var inverseName: String? {
        guard case .backlinks(let property, let source)? = steps.first else { return nil }
        return root.inverses.first {
            $0.sourceClass == source.id && $0.sourceProperty == property.id
        }?.name
    }
}
