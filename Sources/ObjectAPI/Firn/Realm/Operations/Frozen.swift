import FirnValues

/// A frozen object or collection that may cross threads and actors.
///
///     let adults = Frozen(realm.objects(Person.self).filter("age >= 18"))
///     Task.detached {
///         for person in adults { print(person.name) }
///     }
///
/// A frozen value never changes and can be used on any thread. Live values of the same type are
/// confined to one thread or actor, so the compiler refuses to pass on any of them. This type states
/// that its value is frozen.
@dynamicMemberLookup
public struct Frozen<Value: ThreadConfined>: @unchecked Sendable {
    /// The frozen value.
    public let value: Value

    /// Freezes a value, unless it is frozen already.
    ///
    /// The program stops if the value is unmanaged, or if a write transaction is open.
    public init(_ value: Value) { self.value = value.freeze() }

    /// Accesses a property of the frozen value.
    public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member {
        value[keyPath: member]
    }

    /// Returns the current state of the value in the realm of the current thread.
    ///
    /// The result is `nil` if the value no longer exists.
    public func thaw() -> Value? { value.thaw() }
}

extension Frozen: Sequence where Value: Sequence {
    /// Returns an iterator over the elements.
    public func makeIterator() -> Value.Iterator { value.makeIterator() }
}

extension Frozen: Collection where Value: RandomAccessCollection {
    /// The first position.
    public var startIndex: Value.Index { value.startIndex }
    /// The position after the last element.
    public var endIndex: Value.Index { value.endIndex }
    /// Accesses the element at a position, which must exist.
    public subscript(position: Value.Index) -> Value.Element { value[position] }
    /// Returns the position after another one.
    public func index(after position: Value.Index) -> Value.Index { value.index(after: position) }
}

extension Frozen: BidirectionalCollection where Value: RandomAccessCollection {
    /// Returns the position before another one.
    public func index(before position: Value.Index) -> Value.Index {
        value.index(before: position)
    }
}

extension Frozen: RandomAccessCollection where Value: RandomAccessCollection {}

extension Frozen: Equatable where Value: Equatable {}
extension Frozen: Hashable where Value: Hashable {}
