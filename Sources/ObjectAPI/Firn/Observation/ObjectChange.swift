/// A change to an object, as passed to the blocks of `observe`.
///
///     token = dog.observe { change in
///         switch change {
///         case .change(let dog, let properties): print(dog.name, properties.map(\.name))
///         case .deleted: print("gone")
///         case .error(let error): print(error)
///         }
///     }
@frozen
public enum ObjectChange<T> {
    /// The database became unreadable, or was removed or replaced.
    ///
    /// The block is not called again.
    case error(any Error)
    /// Properties of the object were set, possibly to the values that they already had.
    ///
    /// The changes are in the order in which the class declares the properties.
    case change(T, [PropertyChange])
    /// The object was deleted.
    ///
    /// The block is not called again.
    case deleted
}

/// A change to one property of an object.
public struct PropertyChange {
    /// The name of the property.
    ///
    /// If a key path observes a change across links, this is the first property of that path.
    public let name: String
    /// The previous value, if another thread, queue, actor or process made the change.
    ///
    /// The value is `nil` for changes made by the observing realm, and for lists. An object is
    /// shown in its current state. A set or map is the current one.
    public let oldValue: Any?
    /// The current value.
    ///
    /// For a list, set or map, this is the collection itself.
    public let newValue: Any?
}

/// A change to a property of a ``Projection``.
///
/// Blocks that observe projections receive values of type ``PropertyChange``.
public typealias ProjectedPropertyChange = PropertyChange
