import FirnEngine
import FirnValues

/// The objects that were made as copies of others, each once, by the others.
final class ObjectCopies<Copy> {
    /// The identity of an object: managed ones are created again whenever a link is read.
    private enum Identity: Hashable {
        case instance(ObjectIdentifier)
        case row(ObjectIdentifier, ObjectReference)

        init(_ object: ObjectBase) {
            self =
                object.access.map { .row(ObjectIdentifier($0.instance), $0.reference) }
                ?? .instance(ObjectIdentifier(object))
        }
    }

    private var known: [Identity: Copy] = [:]
    /// So that no other object gets the address of one that was copied.
    private var held: [ObjectBase] = []

    subscript(_ object: ObjectBase) -> Copy? { known[Identity(object)] }

    func note(_ copy: Copy, of value: Any) {
        guard let object = value as? ObjectBase else { return }
        known[Identity(object)] = copy
        held.append(object)
    }
}

extension List<AnyRealmValue> {
    /// Whether an object is anywhere in the values.
    var containsObjects: Bool { contains { $0.containsObjects } }
}

extension Map<String, AnyRealmValue> {
    /// Whether an object is anywhere in the values.
    var containsObjects: Bool { contains { $0.value.containsObjects } }
}

extension AnyRealmValue {
    var containsObjects: Bool {
        switch self {
        case .object: true
        case .list(let list): list.containsObjects
        case .dictionary(let map): map.containsObjects
        default: false
        }
    }
}
