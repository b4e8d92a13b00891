import Dispatch
public import Firn

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension Realm {
    /// Says whenever the realm shows another version; see ``Firn/Realm/observe(_:)``.
    ///
    /// Also when there is a newer one than it shows, because `autorefresh` is off. Nothing happens to a frozen
    /// realm.
    public var objectWillChange: RealmPublishers.RealmWillChange {
        RealmPublishers.RealmWillChange(
            _observation: _Observation { _, block in
                isFrozen ? nil : observe { _, _ in block(.value(())) }
            })
    }
}

// MARK: Objects

extension Object: ObservableObject {
    /// Says whenever a property of the object was set, and when it was deleted.
    ///
    /// Nothing happens to an object that is frozen or in no realm.
    public var objectWillChange: RealmPublishers.WillChange<Object> { observable(self).willChange }
}

extension EmbeddedObject: ObservableObject {
    /// Says whenever a property of the object was set, and when it was deleted.
    ///
    /// Nothing happens to an object that is frozen or in no realm.
    public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> {
        observable(self).willChange
    }
}

extension Projection: ObservableObject {
    /// Says whenever something that the projection shows was set, and when the object was deleted.
    ///
    /// Nothing happens to a projection of an object that is frozen or in no realm.
    public var objectWillChange: RealmPublishers.WillChange<Root> {
        // The class of the projection says what it shows.
        let projection: any ProjectionObservable = self
        return Observable<ObjectChange<Root>>(source: rootObject) { queue, block in
            projection.observeRoot(queue, block)
        }.willChange
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

/// Gives an object anew whenever it has changed.
///
/// - Parameters:
///   - object: managed and not frozen; the program stops otherwise when somebody subscribes.
///   - keyPaths: which properties are observed, as of `observe`.
public func valuePublisher<T: ObjectBase & ThreadConfined>(
    _ object: T, keyPaths: [String]? = nil
) -> RealmPublishers.Value<T> { observable(object, keyPaths).value }

/// Gives a projection anew whenever something that it shows has changed.
///
/// - Parameters:
///   - projection: of an object that is managed and not frozen; the program stops otherwise when somebody
///     subscribes.
///   - keyPaths: which properties are observed, as of `observe`.
public func valuePublisher<T: ProjectionObservable>(
    _ projection: T, keyPaths: [String]? = nil
) -> RealmPublishers.Value<T> { observable(projection, keyPaths).value }

/// Gives the changes of an object.
///
/// - Parameters:
///   - object: managed and not frozen; the program stops otherwise when somebody subscribes.
///   - keyPaths: which properties are observed, as of `observe`.
public func changesetPublisher<T: ObjectBase & ThreadConfined>(
    _ object: T, keyPaths: [String]? = nil
) -> RealmPublishers.ObjectChangeset<T> { observable(object, keyPaths).changeset }

/// Gives the changes of what a projection shows.
///
/// - Parameters:
///   - projection: of an object that is managed and not frozen; the program stops otherwise when somebody
///     subscribes.
///   - keyPaths: which properties are observed, as of `observe`.
public func changesetPublisher<T: ProjectionObservable>(
    _ projection: T, keyPaths: [String]? = nil
) -> RealmPublishers.ObjectChangeset<T> { observable(projection, keyPaths).changeset }
