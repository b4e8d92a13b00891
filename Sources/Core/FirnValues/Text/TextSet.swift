/// A set of strings that are compared as UTF-8 bytes.
///
///     let names: TextSet = ["\u{e9}"]
///     names.contains("e\u{301}")      // false: other bytes, although the same letter
///
/// - Complexity: that of `Set`.
@frozen
public struct TextSet: Hashable, Sendable {
    @usableFromInline
    var members: Set<TextKey>

    /// Creates an empty set.
    @inlinable
    public init() { members = [] }

    /// Creates a set of strings.
    @inlinable
    public init(_ texts: some Sequence<String>) { members = Set(texts.lazy.map { TextKey($0) }) }

    @inlinable
    init(members: Set<TextKey>) { self.members = members }

    /// Returns whether a string is a member.
    @inlinable
    public func contains(_ text: String) -> Bool { members.contains(TextKey(text)) }

    /// Adds a string, and returns whether it was not a member before.
    @discardableResult
    @inlinable
    public mutating func insert(_ text: String) -> (inserted: Bool, memberAfterInsert: String) {
        let (inserted, member) = members.insert(TextKey(text))
        return (inserted, member.text)
    }

    /// Adds a string or, if it is a member, the first string with a number appended that is not.
    ///
    /// - Parameters:
    ///   - text: The string.
    ///   - key: Returns the member that stands for a string, such as its lowercase form.
    ///   - numbered: Returns the string with a number, from 2 on.
    /// - Returns: The string whose key was added.
    package mutating func insertNumbered(
        _ text: String, by key: (String) -> String = { $0 }, _ numbered: (Int) -> String
    ) -> String {
        var free = text
        var number = 2
        while !insert(key(free)).inserted {
            free = numbered(number)
            number += 1
        }
        return free
    }

    /// Removes a string and returns it, or returns nil if it was not a member.
    @discardableResult
    @inlinable
    public mutating func remove(_ text: String) -> String? { members.remove(TextKey(text))?.text }

    /// Removes all members.
    @inlinable
    public mutating func removeAll(keepingCapacity: Bool = false) {
        members.removeAll(keepingCapacity: keepingCapacity)
    }

    /// Adds the members of another set.
    @inlinable
    public mutating func formUnion(_ other: TextSet) { members.formUnion(other.members) }

    /// Adds strings.
    @inlinable
    public mutating func formUnion(_ other: some Sequence<String>) {
        for text in other { members.insert(TextKey(text)) }
    }

    /// Returns the members of either set.
    @inlinable
    public func union(_ other: TextSet) -> TextSet {
        TextSet(members: members.union(other.members))
    }

    /// Returns the members that both sets contain.
    @inlinable
    public func intersection(_ other: TextSet) -> TextSet {
        TextSet(members: members.intersection(other.members))
    }

    /// Returns the members that are not in the other set.
    @inlinable
    public func subtracting(_ other: TextSet) -> TextSet {
        TextSet(members: members.subtracting(other.members))
    }

    /// Removes the members of the other set.
    @inlinable
    public mutating func subtract(_ other: TextSet) { members.subtract(other.members) }

    /// Returns whether the sets have no member in common.
    @inlinable
    public func isDisjoint(with other: TextSet) -> Bool { members.isDisjoint(with: other.members) }

    /// Returns whether all members are in the other set.
    @inlinable
    public func isSubset(of other: TextSet) -> Bool { members.isSubset(of: other.members) }

    /// Returns the members that satisfy a condition.
    @inlinable
    public func filter(_ isIncluded: (String) -> Bool) -> TextSet {
        TextSet(members: members.filter { isIncluded($0.text) })
    }
}

extension TextSet: Collection {
    /// A position of a member.
    public typealias Index = Set<TextKey>.Index

    /// The position of the first member.
    @inlinable
    public var startIndex: Index { members.startIndex }

    /// The position after the last member.
    @inlinable
    public var endIndex: Index { members.endIndex }

    /// Returns the position after another.
    @inlinable
    public func index(after index: Index) -> Index { members.index(after: index) }

    /// The member at a position.
    @inlinable
    public subscript(position: Index) -> String { members[position].text }

    /// The number of members.
    @inlinable
    public var count: Int { members.count }
}

extension TextSet: ExpressibleByArrayLiteral {
    /// Creates a set from a literal.
    @inlinable
    public init(arrayLiteral elements: String...) { self.init(elements) }
}
