package import FirnValues

/// One change inside a list, set or map.
package enum CollectionEdit: Hashable, Sendable {
    // Lists.
    case append(Value)
    case insert(Int, Value)
    case replace(Int, Value)
    case remove(Int)
    case move(from: Int, to: Int)
    // Sets.
    case add(Value)
    case discard(Value)
    // Maps.
    case put(String, Value)
    case drop(String)
    // All containers.
    case clear
}
