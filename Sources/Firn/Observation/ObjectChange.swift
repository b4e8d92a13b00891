/// What happened to an object, as the blocks of `observe` get it.
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
    /// The database cannot be read any more, or was removed or replaced; the block is not called again.
    case error(any Error)
    /// Properties of the object were given other values, and maybe their own again.
    ///
    /// They stand in the order in which the class declares them.
    case change(T, [PropertyChange])
    /// The object was deleted; the block is not called again.
    case deleted
}

/// A property that was set.
public struct PropertyChange {
    /// The name of the property.
    ///
    /// Of a change behind links that is observed by a key path, the first property of that path.
    public let name: String
    /// The value before, if the change was made elsewhere: by another thread, queue, actor or process.
    ///
    /// `nil` for changes of the realm that observes, and for lists. An object is shown as it is now; a
    /// set or map is the one that there is now.
    public let oldValue: Any?
    /// The value now; of a list, set or map, the collection itself.
    public let newValue: Any?
}

/// A property of a ``Projection`` that shows something else: what blocks are told of projections are
/// ``PropertyChange``s.
public typealias ProjectedPropertyChange = PropertyChange
