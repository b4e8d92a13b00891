package import FirnEngine
package import FirnValues

/// One object, followed from what commits changed.
///
/// It keeps nothing of the object. Belongs to one thread at a time.
package final class LiveObject {
    package enum Change: Hashable, Sendable {
        /// The object is gone.
        case deleted
        /// Something that is observed was written to.
        ///
        /// - Parameters:
        ///   - properties: the properties of the object through which that is seen: its own, and the
        ///     links that lead to what was written to.
        ///   - inverses: the inverse properties of the object that lead to it.
        case modified(properties: PropertySet, inverses: Set<String>)
    }

    private let object: ObjectReference
    /// What is watched of the object and, over its links, of others; `nil` if nothing is.
    private let graph: WatchedGraph?
    /// What is watched over each of its inverse properties.
    private let inverses: [(name: String, graph: WatchedGraph)]

    /// - Parameters:
    ///   - object: of the class `root`.
    ///   - paths: what counts as a modification, with ``ObservedPaths/membership`` nothing but the
    ///     end of the object.
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
        var groups: [String: [BoundPath]] = [:]
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

    /// What a step did to the object.
    ///
    /// - Returns: `nil` if nothing that is observed happened.
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
        var names: Set<String> = []
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
