import FirnEngine
import FirnValues

extension List: _Persistable {
    /// The declaration of the property.
    public static var _declaration: _PropertyDeclaration { Element._element.collected(in: .list) }

    /// Returns an empty list.
    public static func _initial() -> List { List() }

    /// Returns the list of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> List {
        List(PropertyCore(object, index))
    }

    /// Replaces the elements of the list of a managed object.
    public static func _set(_ object: ObjectBase, _ index: Int, to value: List) {
        let own = PropertyCore(object, index)
        if let other = value.core, other.isSame(as: own) { return }
        own.assign(Array(value)) { .list($0) }
    }

    /// Returns the stored form of the list of an object that is being added.
    public func _stored(_ links: _LinkEncoder) -> _StoredValue {
        _StoredValue(.list(map { $0._encode(links).value }))
    }

    /// Converts a list or an array to a list, or returns `nil` if an element has a different type.
    public static func _converted(_ value: Any) -> List? {
        if let value = value as? List { return value }
        if isNothing(value) { return List() }
        guard let values = value as? any Sequence, !(value is String) else { return nil }
        let list = List()
        for value in values {
            guard let element = Element._element(from: value) else { return nil }
            list.append(element)
        }
        return list
    }

    /// Returns `true`, because programs hold lists themselves.
    public static var _isReference: Bool { true }

    /// Returns the list that the property already has, with the elements of this one.
    public func _assigned(over old: List?) -> List {
        guard let old, old.core == nil else { return List(unmanaged: Array(self)) }
        if old !== self { old._unmanaged = Array(self) }
        return old
    }

    /// Makes this the list of a managed object.
    public func _becomeManaged(_ object: ObjectBase, _ index: Int) {
        core = PropertyCore(object, index)
        _unmanaged = []
    }
}

extension EditableCore {
    /// Replaces the elements of the collection of a managed object.
    ///
    /// A write transaction is required even if nothing changes.
    func assign<Element: RealmCollectionValue>(
        _ elements: [Element], _ collection: ([Value]) -> Value
    ) {
        changing { transaction, links throws(StoreError) in
            var values: [Value] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(try links.encoded(element)) }
            try replaceAll(with: collection(values), transaction)
        }
    }
}

extension List: RecordingCollection {
    /// Returns a list of a recording object.
    public static func _traced(_ trace: _Trace) -> List {
        let list = List()
        if let sample = Element._sample(trace) {
            list._unmanaged = [sample]
            list.isRecording = true
        }
        return list
    }

    var recordedElement: Any? { isRecording ? _unmanaged.first : nil }
}
