import Dispatch
public import Firn

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension Realm {
    /// A publisher that emits whenever the realm shows a different version.
    ///
    /// It also emits when a newer version than the one shown exists because `autorefresh` is off. A
    /// frozen realm never emits. See also ``Firn/Realm/observe(_:)``.
    public var objectWillChange: RealmPublishers.RealmWillChange {
        RealmPublishers.RealmWillChange(
            _observation: _Observation { _, block in
                isFrozen ? nil : observe { _, _ in block(.value(())) }
            })
    }
}

// MARK: Objects

extension Object: ObservableObject {
    /// A publisher that emits whenever a property was set or the object was deleted.
    ///
    /// A frozen or unmanaged object never emits.
    public var objectWillChange: RealmPublishers.WillChange<Object> { observable(self).willChange }
}

extension EmbeddedObject: ObservableObject {
    /// A publisher that emits whenever a property was set or the object was deleted.
    ///
    /// A frozen or unmanaged object never emits.
    public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> {
        observable(self).willChange
    }
}

extension Projection: ObservableObject {
    /// A publisher that emits whenever a projected property was set.
    ///
    /// It also emits when the object was deleted.
    ///
    /// A projection of a frozen or unmanaged object never emits.
    public var objectWillChange: RealmPublishers.WillChange<Projection> {
        // The class of the projection determines the projected properties.
        let projection: any ProjectionObservable = self
        let changes = Observable<ObjectChange<Root>>(source: rootObject) { queue, block in
            projection.observeRoot(queue, block)
        }
        return RealmPublishers.WillChange(_observation: changes.willChange._observation)
    }
}

extension ProjectionObservable {
    fileprivate func observeRoot<T>(
        _ queue: DispatchQueue?, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        observe(on: queue) { change in
            switch change {
            case .change(let projection, let properties):
                if let root = projection.rootObject as? T { block(.change(root, properties)) }
            case .deleted: block(.deleted)
            case .error(let error): block(.error(error))
            }
        }
    }
}

private func observable<T: ObjectBase & ThreadConfined>(
    _ object: T, _ keyPaths: [String]? = nil
) -> Observable<ObjectChange<T>> {
    Observable(source: object) { object.observe(keyPaths: keyPaths, on: $0, $1) }
}

private func observable<T: ProjectionObservable>(
    _ projection: T, _ keyPaths: [String]?
) -> Observable<ObjectChange<T>> {
    Observable(source: projection) { projection.observe(keyPaths: keyPaths, on: $0, $1) }
}

/// Returns a publisher that emits an object whenever it has changed.
///
/// - Parameters:
///   - object: A managed object that is not frozen. The program stops on subscription otherwise.
///   - keyPaths: The properties to observe, as in `observe`.
public func valuePublisher<T: ObjectBase & ThreadConfined>(
    _ object: T, keyPaths: [String]? = nil
) -> RealmPublishers.Value<T> { observable(object, keyPaths).value }

/// Returns a publisher that emits a projection whenever a projected property has changed.
///
/// - Parameters:
///   - projection: A projection of a managed object that is not frozen. The program stops on
///     subscription otherwise.
///   - keyPaths: The properties to observe, as in `observe`.
public func valuePublisher<T: ProjectionObservable>(
    _ projection: T, keyPaths: [String]? = nil
) -> RealmPublishers.Value<T> { observable(projection, keyPaths).value }

/// Returns a publisher of the changes to an object.
///
/// - Parameters:
///   - object: A managed object that is not frozen. The program stops on subscription otherwise.
///   - keyPaths: The properties to observe, as in `observe`.
public func changesetPublisher<T: ObjectBase & ThreadConfined>(
    _ object: T, keyPaths: [String]? = nil
) -> RealmPublishers.ObjectChangeset<T> { observable(object, keyPaths).changeset }

/// Returns a publisher of the changes to a projection.
///
/// - Parameters:
///   - projection: A projection of a managed object that is not frozen. The program stops on
///     subscription otherwise.
///   - keyPaths: The properties to observe, as in `observe`.
public func changesetPublisher<T: ProjectionObservable>(
    _ projection: T, keyPaths: [String]? = nil
) -> RealmPublishers.ObjectChangeset<T> { observable(projection, keyPaths).changeset }
