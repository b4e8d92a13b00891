import FirnValues

/// A stored field of an object that holds a persisted property, accessed by its address.
///
/// The address is that of the field in an object of its class, as determined by ``ClassLayout``.
protocol PersistedField: SendableMetatype {
    static var declaration: _PropertyDeclaration { get }
    static func traits(_ field: UnsafeRawPointer) -> PersistedTraits
    /// Whether programs hold the value itself, as with lists, and not a copy of it.
    static var isReference: Bool { get }
    /// The offset of the property's index within the field, in bytes; `nil` if the value is a
    /// separate object in every object of the class.
    ///
    /// Code that reads many objects sets the index without knowing the type.
    static var indexOffset: Int? { get }
    /// The functions that add and create objects need for the field.
    static var access: FieldAccess { get }
    /// Switches the field to recording, so that further reads return sample values.
    static func record(_ field: UnsafeMutableRawPointer, _ trace: _Trace)
    /// Binds a value that the program already holds to the stored value.
    ///
    /// Only values that are references support this.
    static func adopt(_ field: UnsafeMutableRawPointer, of object: ObjectBase, _ index: Int)
    /// Returns the value, whether managed or not.
    static func value(_ field: UnsafeMutableRawPointer, of object: ObjectBase) -> Any
    /// Returns the value of a managed object, which may have no field.
    static func managedValue(of object: ObjectBase, _ index: Int) -> Any
    /// Returns an array of values of the type of the property.
    static func array(of values: [Any]) -> Any
    /// Returns the stored form of a value, or `nil` if it does not have the type of the property.
    static func encoded(_ value: Any, _ links: _LinkEncoder) -> Value?
}

extension Persisted: PersistedField {
    static var declaration: _PropertyDeclaration { Value._declaration }

    static func traits(_ field: UnsafeRawPointer) -> PersistedTraits {
        field.assumingMemoryBound(to: Self.self).pointee.traits
    }

    static var isReference: Bool { Value._isReference }

    static var indexOffset: Int? {
        guard let offset = MemoryLayout<Self>.offset(of: \.number) else {
            preconditionFailure("a stored property has an offset")
        }
        return offset
    }

    static var access: FieldAccess {
        FieldAccess.specialized[ObjectIdentifier(Value.self)] ?? FieldAccess(Value.self)
    }

    /// Releases the value that the object had while it was not in the database.
    static func release(_ field: UnsafeMutableRawPointer) {
        field.assumingMemoryBound(to: Self.self).pointee.state = .initial
    }

    static func record(_ field: UnsafeMutableRawPointer, _ trace: _Trace) {
        let own = field.assumingMemoryBound(to: Self.self)
        if case .unmanaged(let value) = own.pointee.state { trace.initial = value }
        own.pointee.state = .recording(trace)
    }

    static func adopt(_ field: UnsafeMutableRawPointer, of object: ObjectBase, _ index: Int) {
        let own = field.assumingMemoryBound(to: Self.self)
        if own.pointee.index < 0, case .unmanaged(let value) = own.pointee.state {
            value._becomeManaged(object, index)
            own.pointee.state = .kept(value)
        }
    }

    /// Returns the stored form of the value of an unmanaged object.
    static func stored(
        _ field: UnsafeMutableRawPointer, _ links: _LinkEncoder
    ) -> _StoredValue {
        // A collection that was never accessed is not created permanently.
        if Value._isReference,
            case .initial = field.assumingMemoryBound(to: Self.self).pointee.state
        {
            return Value._initial()._stored(links)
        }
        return unmanaged(field)._stored(links)
    }

    static func value(_ field: UnsafeMutableRawPointer, of object: ObjectBase) -> Any {
        let own = field.assumingMemoryBound(to: Self.self)
        guard own.pointee.index >= 0 else { return unmanaged(field) }
        if case .kept(let value) = own.pointee.state { return value }
        return Value._get(object, own.pointee.index)
    }

    static func array(of values: [Any]) -> Any { values.compactMap { $0 as? Value } }

    static func managedValue(of object: ObjectBase, _ index: Int) -> Any {
        Value._get(object, index)
    }

    static func encoded(_ value: Any, _ links: _LinkEncoder) -> FirnValues.Value? {
        Value._converted(value)?._stored(links).value
    }

    /// Sets a property, whether managed or not.
    ///
    /// Returns `false` if the value has a different type.
    static func set(
        _ field: UnsafeMutableRawPointer, of object: ObjectBase, to value: Any
    ) -> Bool {
        guard let value = Value._converted(value) else { return false }
        let own = field.assumingMemoryBound(to: Self.self)
        if own.pointee.index >= 0 {
            Value._set(object, own.pointee.index, to: value)
        } else if case .unmanaged(let old) = own.pointee.state {
            own.pointee.state = .unmanaged(value._assigned(over: old))
        } else {
            own.pointee.state = .unmanaged(value._assigned(over: nil))
        }
        return true
    }

    private static func unmanaged(_ field: UnsafeMutableRawPointer) -> Value {
        let own = field.assumingMemoryBound(to: Self.self)
        guard own.pointee.index < 0 else { misuse("an object that is managed cannot be added") }
        switch own.pointee.state {
        case .unmanaged(let value), .kept(let value): return value
        case .initial:
            let value = Value._initial()
            own.pointee.state = .unmanaged(value)
            return value
        case .inverse: return Value._initial()
        case .recording:
            misuse(
                "a key path reads a property by its name, or passes on the object that it is applied "
                    + "to: pass that of a persisted property")
        }
    }
}
