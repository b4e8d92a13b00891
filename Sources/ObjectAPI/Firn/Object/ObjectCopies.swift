import FirnEngine
import FirnValues

/// The copies of objects, one for each original.
final class ObjectCopies<Copy> {
    /// The identity of an object.
    ///
    /// Managed objects are recreated whenever a link is read.
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
    /// Objects retained so that their addresses, which identify them, are not reused.
    private var held: [ObjectBase] = []

    subscript(_ object: ObjectBase) -> Copy? { known[Identity(object)] }

    func note(_ copy: Copy, of value: Any) {
        guard let object = value as? ObjectBase else { return }
        known[Identity(object)] = copy
        held.append(object)
    }
}

extension List<AnyRealmValue> {
    /// Whether the values contain an object at any depth.
    var containsObjects: Bool { contains { $0.containsObjects } }
}

extension Map<String, AnyRealmValue> {
    /// Whether the values contain an object at any depth.
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
