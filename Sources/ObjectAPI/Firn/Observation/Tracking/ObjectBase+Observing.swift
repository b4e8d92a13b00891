public import Dispatch

/// Observing an object through a reference to a base class.
extension ObjectBase {
    /// Calls a block when the object changes.
    ///
    ///     token = object.observe { (change: ObjectChange<ObjectBase>) in ... }
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe. If `nil`, all properties of the object itself are
    ///     observed. The program stops if a property does not exist.
    ///   - queue: The serial queue that runs the block. If `nil`, the block runs where the realm is
    ///     used.
    ///   - block: A closure that receives each change. The program stops if the object is not of
    ///     the class that the closure names.
    /// - Returns: A token. The block is called as long as the token is retained.
    @_disfavoredOverload
    public final func observe<T: ObjectBase>(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        switch self {
        case let object as Object:
            return object.observe(keyPaths: keyPaths, on: queue) { block($0.ofClass()) }
        case let object as EmbeddedObject:
            return object.observe(keyPaths: keyPaths, on: queue) { block($0.ofClass()) }
        default: misuse("observe() of a \(type(of: self)), which is neither top-level nor embedded")
        }
    }
}

extension ObjectChange where T: ObjectBase {
    /// Returns the same change, with the object as an instance of another class.
    fileprivate func ofClass<Other: ObjectBase>() -> ObjectChange<Other> {
        switch self {
        case .error(let error): return .error(error)
        case .deleted: return .deleted
        case .change(let object, let properties):
            guard let other = object as? Other else {
                misuse("observe() of a \(type(of: object)) has a block for a \(Other.self)")
            }
            return .change(other, properties)
        }
    }
}
