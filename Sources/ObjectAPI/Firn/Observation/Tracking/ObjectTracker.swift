import FirnEngine
import FirnQuery
import FirnValues

/// A tracker of an object.
final class ObjectTracker<Model>: Tracker<ObjectChange<Model>> {
    /// The changed properties of an object, and the object before and after.
    struct Written {
        /// The names of properties, in the order of their declarations.
        let names: [String]
        let object: ObjectBase
        /// The object in its previous state, or `nil` if the observing realm made the change.
        let old: ObjectBase?
    }

    private let reference: ObjectReference
    private let live: LiveObject
    private let object: ObjectBase
    private let report: (Written) -> ObjectChange<Model>?

    /// - Parameters:
    ///   - source: The object, in any realm of the file.
    ///   - position: The version in which the object is known.
    ///   - report: Returns the change that blocks receive, or `nil` if there is none to report.
    init(
        _ source: ObjectBase, in instance: RealmInstance, at position: DatabaseSnapshot?,
        observing paths: ObservedPaths, report: @escaping (Written) -> ObjectChange<Model>?
    ) {
        guard let access = source.access else { misuse("an unmanaged object has no row") }
        reference = access.reference
        live = LiveObject(
            reference, access.binding.schema, observing: paths, in: instance.snapshot.schema)
        object = access.instance === instance ? source : source.placed(in: instance)
        self.report = report
        super.init(instance, at: position)
    }

    override func advance(_ step: ObservedStep) throws(StoreError) -> ObjectChange<Model>? {
        switch try live.advance(step.live) {
        case nil: return nil
        case .deleted?:
            isOver = true
            return .deleted
        case .modified(let properties, let inverses)?:
            let current = object.isInvalidated ? object.placed(in: instance) : object
            guard let binding = current.access?.binding else { return nil }
            let names = binding.names(of: properties, inverses)
            guard !names.isEmpty else { return nil }
            let old =
                step.isOwn ? nil : current.placed(in: instance.file.frozen(step.old))
            return report(Written(names: names, object: current, old: old))
        }
    }

    override func failed(_ error: StoreError) -> ObjectChange<Model> { .error(Realm.Error(error)) }
}

extension ClassBinding {
    /// Returns the names of properties, in the order of their declarations.
    fileprivate func names(of properties: PropertySet, _ inverses: TextSet) -> [String] {
        var stored: [String] = []
        var computed: [String] = []
        for (index, property) in layout.properties.enumerated() {
            if !storesProperty(index) {
                if inverses.contains(property.name) { computed.append(property.name) }
            } else if properties.contains(columns[index].id) {
                stored.append(property.name)
            }
        }
        return stored + computed
    }
}

extension ObjectBase {
    /// Returns the same object in another realm of its file, even if it does not exist there.
    func placed(in instance: RealmInstance) -> ObjectBase {
        guard let access else { misuse("an unmanaged object is in no realm") }
        let object = Swift.type(of: self).init()
        object.manage(instance.binding(like: access.binding), access.row)
        return object
    }

    /// Returns the change to a property, as blocks receive it.
    ///
    /// - Parameter old: The object in its previous state, or `nil` to report no previous value.
    func change(of name: String, since old: ObjectBase?) -> PropertyChange {
        let value = self[name].flatMap { KeyPathNames.unwrapped($0) }
        // A list shows its current elements, so it has no previous value.
        guard !isList(name) else {
            return PropertyChange(name: name, oldValue: nil, newValue: value)
        }
        var before: Any?
        // A property without a value of its own shows the current one.
        if let old { before = isSingle(name) ? located(old[name]) : value }
        return PropertyChange(name: name, oldValue: before, newValue: value)
    }

    /// Returns whether a property is a stored list.
    func isList(_ name: String) -> Bool {
        observedDeclaration(name).map { $0.type.container == .list && !$0.isInverse } ?? false
    }

    /// Returns whether a property has a single value of its own, and is not a live view.
    func isSingle(_ name: String) -> Bool {
        observedDeclaration(name).map { $0.type.container == .single } ?? false
    }

    private func observedDeclaration(_ name: String) -> _PropertyDeclaration? {
        layout.index(of: name).map { layout.properties[$0].declaration }
    }

    /// Returns an object of another version in the current realm, and any other value unchanged.
    private func located(_ value: Any?) -> Any? {
        guard let instance = access?.instance,
            let value = value.flatMap({ KeyPathNames.unwrapped($0) })
        else { return nil }
        if let object = value as? ObjectBase, object.access != nil {
            return object.placed(in: instance)
        }
        if let any = value as? AnyRealmValue, case .object(let object) = any,
            object.access != nil, let placed = object.placed(in: instance) as? Object
        {
            return AnyRealmValue.object(placed)
        }
        return value
    }
}
