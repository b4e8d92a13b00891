import FirnEngine
import FirnQuery
import FirnValues

/// Deleting objects.
///
/// Links to a deleted object become nil, and lists lose it.
extension Realm {
    private static let notOfThisRealm =
        "only objects of this realm can be deleted from it: delete an unmanaged object from what "
        + "holds it, a frozen one after thaw(), and another one through its own realm"

    /// Deletes an object, together with its embedded objects.
    ///
    /// - Parameter object: An object of this realm that is not deleted. The program stops
    ///   otherwise.
    /// - Complexity: O(properties + links to the object)
    public func delete(_ object: ObjectBase) {
        guard let access = object.access, access.instance === instance else {
            misuse(Realm.notOfThisRealm)
        }
        instance.change("delete a \(access.binding.layout.className)") {
            transaction throws(StoreError) in
            guard !access.isStale,
                try transaction.exists(access.row, in: access.binding.schema.id)
            else {
                misuse(
                    "the \(access.binding.layout.className) was deleted already: ask isInvalidated before"
                )
            }
            try transaction.delete(access.row, in: access.binding.schema.id)
        }
    }

    /// Deletes several objects.
    ///
    /// - Parameter objects: Objects of this realm.
    public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase {
        // Deleting may change the sequence that is iterated over.
        for object in Array(objects) where !object.isInvalidated { delete(object) }
    }

    /// Deletes all objects of a result.
    ///
    /// - Complexity: O(objects and links to them)
    public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
        delete(all: objects._core)
    }

    /// Deletes all objects of a list, which leaves the list empty.
    public func delete<Element: ObjectBase>(_ objects: List<Element>) {
        guard let core = objects._core else {
            for object in Array(objects) { delete(object) }
            return
        }
        delete(all: core)
    }

    /// Deletes all objects of a map, whose keys remain with the value nil.
    public func delete<Key: _MapKey, Value: ObjectBase & _OptionalCapable>(
        _ objects: Map<Key, Value?>
    ) {
        guard let core = objects.core else {
            misuse(Realm.notOfThisRealm)
        }
        delete(all: core)
    }

    private func delete(all core: _CollectionCore?) {
        guard let core, core.instance === instance else {
            misuse(Realm.notOfThisRealm)
        }
        guard case .objects(let rows) = core.content, let schema = core.elementClass else { return }
        // A list may contain an object several times, and a sorted result any order.
        let isAscending = zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
        let unique = isAscending ? Array(rows) : Set(rows).sorted()
        instance.change("delete objects") { transaction throws(StoreError) in
            try transaction.delete(unique, in: schema.id)
        }
    }

    /// Deletes all objects of the classes of the model.
    ///
    /// - Complexity: O(objects)
    public func deleteAll() {
        instance.change("delete all objects") { transaction throws(StoreError) in
            // Embedded objects are deleted with the objects that contain them.
            for schema in instance.modelClasses where !schema.isEmbedded {
                guard let table = try transaction.snapshot().table(schema.id) else { continue }
                try transaction.delete(try table.liveRowIDs(), in: schema.id)
            }
        }
    }
}

extension RealmInstance {
    /// The classes of the file that belong to the model.
    var modelClasses: [ClassSchema] {
        file.layouts.compactMap { snapshot.schema.classNamed($0.className) }
    }
}
