import FirnEngine
import FirnValues

extension MutableSet: _Persistable {
    /// The declaration of the property.
    public static var _declaration: _PropertyDeclaration {
        if Element._element.target?.isEmbeddedClass == true {
            misuse(
                "a MutableSet<\(Element.self)> cannot be: an embedded object is part of one object "
                    + "at one place; use a List")
        }
        return Element._element.collected(in: .set)
    }

    /// Returns an empty set.
    public static func _initial() -> MutableSet { MutableSet() }

    /// Returns the set of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> MutableSet {
        MutableSet(PropertyCore(object, index))
    }

    /// Replaces the elements of the set of a managed object.
    public static func _set(_ object: ObjectBase, _ index: Int, to value: MutableSet) {
        let own = PropertyCore(object, index)
        if let other = value.core, other.isSame(as: own) { return }
        own.assign(Array(value)) { .set($0.map(\.asSetElement)) }
    }

    /// Returns the stored form of the set of an object that is being added.
    public func _stored(_ links: _LinkEncoder) -> _StoredValue {
        _StoredValue(.set(map { $0._encode(links).value.asSetElement }))
    }

    /// Converts a set or an array to a set, or returns `nil` if an element has a different type.
    public static func _converted(_ value: Any) -> MutableSet? {
        if let value = value as? MutableSet { return value }
        if isNothing(value) { return MutableSet() }
        guard let values = value as? any Sequence, !(value is String) else { return nil }
        let set = MutableSet()
        for value in values {
            guard let element = Element._element(from: value) else { return nil }
            set.insertUnmanaged(element)
        }
        return set
    }

    /// Returns `true`, because programs hold sets themselves.
    public static var _isReference: Bool { true }

    /// Returns the set that the property already has, with the elements of this one.
    public func _assigned(over old: MutableSet?) -> MutableSet {
        guard let old, old.core == nil else { return MutableSet(unmanaged: Array(self)) }
        guard old !== self else { return old }
        let elements = Array(self)
        old.removeAllUnmanaged()
        for element in elements { old.insertUnmanaged(element) }
        return old
    }

    /// Makes this the set of a managed object.
    public func _becomeManaged(_ object: ObjectBase, _ index: Int) {
        core = PropertyCore(object, index)
        removeAllUnmanaged()
    }
}

extension MutableSet: Encodable where Element: Encodable {
    /// Encodes the elements in an unspecified order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension MutableSet: Decodable where Element: Decodable {
    /// Creates an unmanaged set by decoding its elements.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { insertUnmanaged(try container.decode(Element.self)) }
    }
}

extension MutableSet: RecordingCollection {
    /// Returns a set of a recording object.
    public static func _traced(_ trace: _Trace) -> MutableSet {
        let set = MutableSet()
        if let sample = Element._sample(trace) {
            set.insertUnmanaged(sample)
            set.isRecording = true
        }
        return set
    }

    var recordedElement: Any? { isRecording ? _unmanaged.first : nil }
}
