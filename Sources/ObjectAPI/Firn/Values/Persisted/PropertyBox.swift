import FirnEngine
import FirnValues

/// The value of a property that is a separate object.
///
/// It holds the access to the row itself, because the object of the model may already have been
/// released.
final class PropertyBox<Value: _SingleValue> {
    private enum State {
        case unmanaged(Value)
        case managed(ObjectAccess, Int)
        /// No value.
        ///
        /// The object only records which properties are read.
        case recording(_Trace)
    }

    private var state: State

    init(_ value: Value) { state = .unmanaged(value) }

    var value: Value {
        get {
            switch state {
            case .unmanaged(let value): return value
            case .recording(let trace): return trace.read(Value.self)
            case .managed(let access, let index):
                let (instance, binding) = (access.instance, access.binding)
                let stored = instance.reading("reading a \(binding.layout.type)") {
                    () throws(StoreError) in try instance.value(index, of: access.row, binding)
                }
                guard let stored, !access.isStale else { gone(binding) }
                // Elements of a list or dictionary are changed in place.
                let nested =
                    stored.isNested ? NestedLocation(binding, access.row, index, []) : nil
                return Value._decode(_StoredValue(stored), in: _RealmReference(instance, nested))
            }
        }
        set {
            switch state {
            case .unmanaged: state = .unmanaged(newValue)
            case .recording:
                misuse(
                    "a key path changed the object that it was applied to: pass that of a "
                        + "persisted property")
            case .managed(let access, let index):
                let (instance, binding, row) = (access.instance, access.binding, access.row)
                let property = binding.columns[index]
                guard !access.isStale else { gone(binding) }
                instance.change("set \(binding.nameOfProperty(index))") {
                    transaction throws(StoreError) in
                    guard try transaction.exists(row, in: binding.schema.id) else { gone(binding) }
                    let stored = try instance.encoded(newValue, for: property, transaction)
                    try transaction.set(property.id, of: row, in: binding.schema.id, to: stored)
                }
            }
        }
    }

    private func gone(_ binding: ClassBinding) -> Never {
        misuse(
            "this \(binding.layout.type) has been deleted, or its realm was invalidated: ask "
                + "isInvalidated before")
    }

    /// Moves the value to the database.
    func manage(_ object: ObjectBase, _ index: Int) {
        guard let access = object.access else { return }
        state = .managed(access, index)
    }

    /// Switches the value to recording, so that further reads return sample values.
    func record(_ trace: _Trace) {
        if case .unmanaged(let value) = state { trace.initial = value }
        state = .recording(trace)
    }
}

/// A stored field of an object that holds a persisted property as a separate object.
protocol PropertyBoxing: PersistedField {
    associatedtype Boxed: _SingleValue
    static func box(in field: UnsafeRawPointer) -> PropertyBox<Boxed>
    /// The value in the box.
    var boxedValue: Any { get }
}

extension PropertyBoxing {
    static var declaration: _PropertyDeclaration { Boxed._declaration }

    static var isReference: Bool { true }

    static var indexOffset: Int? { nil }

    static func traits(_ field: UnsafeRawPointer) -> PersistedTraits { PersistedTraits() }

    static var access: FieldAccess {
        FieldAccess(
            stored: { field, links in box(in: field).value._stored(links) },
            release: nil,
            set: { field, _, value in
                guard let value = Boxed._converted(value) else { return false }
                box(in: field).value = value
                return true
            })
    }

    static func adopt(_ field: UnsafeMutableRawPointer, of object: ObjectBase, _ index: Int) {
        box(in: field).manage(object, index)
    }

    static func record(_ field: UnsafeMutableRawPointer, _ trace: _Trace) {
        box(in: field).record(trace)
    }

    static func array(of values: [Any]) -> Any { values.compactMap { $0 as? Boxed } }

    static func value(_ field: UnsafeMutableRawPointer, of object: ObjectBase) -> Any {
        box(in: field).value
    }

    static func managedValue(of object: ObjectBase, _ index: Int) -> Any {
        Boxed._get(object, index)
    }

    static func encoded(_ value: Any, _ links: _LinkEncoder) -> FirnValues.Value? {
        Boxed._converted(value)?._stored(links).value
    }
}
