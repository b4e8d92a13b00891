/// A dictionary whose keys are strings that are compared as UTF-8 bytes.
///
///     var counts: TextMap<Int> = ["\u{e9}": 1]
///     counts["e\u{301}"] = 2      // a second key: other bytes, although the same letter
///
/// - Complexity: that of `Dictionary`.
@frozen
public struct TextMap<Element> {
    /// The entries by key.
    @usableFromInline
    var entries: [TextKey: Element]

    /// Creates an empty dictionary.
    @inlinable
    public init() { entries = [:] }

    /// Creates an empty dictionary with space for a number of entries.
    @inlinable
    public init(minimumCapacity: Int) { entries = Dictionary(minimumCapacity: minimumCapacity) }

    /// Creates a dictionary from a dictionary of the standard library.
    @inlinable
    public init(_ dictionary: [String: Element]) {
        entries = Dictionary(minimumCapacity: dictionary.count)
        for (key, value) in dictionary { entries[TextKey(key)] = value }
    }

    /// Creates a dictionary from pairs with distinct keys.
    @inlinable
    public init(uniqueKeysWithValues pairs: some Sequence<(String, Element)>) {
        entries = Dictionary(uniqueKeysWithValues: pairs.lazy.map { (TextKey($0.0), $0.1) })
    }

    /// Creates a dictionary from pairs; the values of equal keys are combined.
    @inlinable
    public init<Failure: Error>(
        _ pairs: some Sequence<(String, Element)>,
        uniquingKeysWith combine: (Element, Element) throws(Failure) -> Element
    ) throws(Failure) {
        entries = [:]
        for (key, value) in pairs {
            let key = TextKey(key)
            guard let known = entries[key] else {
                entries[key] = value
                continue
            }
            entries[key] = try combine(known, value)
        }
    }

    @inlinable
    init(entries: [TextKey: Element]) { self.entries = entries }

    /// The value of a key.
    @inlinable
    public subscript(key: String) -> Element? {
        get { entries[TextKey(key)] }
        _modify { yield &entries[TextKey(key)] }
    }

    /// The value of a key, or a default value.
    @inlinable
    public subscript(key: String, default value: @autoclosure () -> Element) -> Element {
        get { entries[TextKey(key), default: value()] }
        _modify { yield &entries[TextKey(key), default: value()] }
    }

    /// The keys, in the order of the entries.
    @inlinable
    public var keys: some Collection<String> & Sendable { entries.keys.map(\.text) }

    /// The values, in the order of the entries.
    @inlinable
    public var values: Dictionary<TextKey, Element>.Values { entries.values }

    /// Sets the value of a key and returns the previous value.
    @discardableResult
    @inlinable
    public mutating func updateValue(_ value: Element, forKey key: String) -> Element? {
        entries.updateValue(value, forKey: TextKey(key))
    }

    /// Removes a key and returns its value.
    @discardableResult
    @inlinable
    public mutating func removeValue(forKey key: String) -> Element? {
        entries.removeValue(forKey: TextKey(key))
    }

    /// Removes all entries.
    @inlinable
    public mutating func removeAll(keepingCapacity: Bool = false) {
        entries.removeAll(keepingCapacity: keepingCapacity)
    }

    /// Adds the entries of another dictionary; the values of equal keys are combined.
    @inlinable
    public mutating func merge(
        _ other: TextMap, uniquingKeysWith combine: (Element, Element) throws -> Element
    ) rethrows {
        try entries.merge(other.entries, uniquingKeysWith: combine)
    }

    /// Returns the entries of both dictionaries; the values of equal keys are combined.
    @inlinable
    public func merging(
        _ other: TextMap, uniquingKeysWith combine: (Element, Element) throws -> Element
    ) rethrows -> TextMap {
        TextMap(entries: try entries.merging(other.entries, uniquingKeysWith: combine))
    }

    /// Returns a dictionary with the same keys and other values.
    @inlinable
    public func mapValues<Other, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Other
    ) throws(Failure) -> TextMap<Other> {
        var mapped = TextMap<Other>(minimumCapacity: count)
        for (key, value) in entries { mapped.entries[key] = try transform(value) }
        return mapped
    }

    /// Returns the entries that satisfy a condition.
    @inlinable
    public func filter(_ isIncluded: ((key: String, value: Element)) -> Bool) -> TextMap {
        TextMap(entries: entries.filter { isIncluded((key: $0.key.text, value: $0.value)) })
    }

    /// Returns the entries whose transformed values are not nil.
    @inlinable
    public func compactMapValues<Other>(
        _ transform: (Element) throws -> Other?
    ) rethrows -> TextMap<Other> {
        TextMap<Other>(entries: try entries.compactMapValues(transform))
    }
}

extension TextMap: Collection {
    /// A position of an entry.
    public typealias Index = Dictionary<TextKey, Element>.Index

    /// The position of the first entry.
    @inlinable
    public var startIndex: Index { entries.startIndex }

    /// The position after the last entry.
    @inlinable
    public var endIndex: Index { entries.endIndex }

    /// Returns the position after another.
    @inlinable
    public func index(after index: Index) -> Index { entries.index(after: index) }

    /// The entry at a position.
    @inlinable
    public subscript(position: Index) -> (key: String, value: Element) {
        let entry = entries[position]
        return (entry.key.text, entry.value)
    }

    /// The number of entries.
    @inlinable
    public var count: Int { entries.count }
}

extension TextMap: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary from a literal with distinct keys.
    @inlinable
    public init(dictionaryLiteral elements: (String, Element)...) {
        self.init(uniqueKeysWithValues: elements)
    }
}

extension TextMap: Equatable where Element: Equatable {}

extension TextMap: Hashable where Element: Hashable {}

extension TextMap: Sendable where Element: Sendable {}
