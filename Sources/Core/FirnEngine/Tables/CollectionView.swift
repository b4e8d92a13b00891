package import FirnValues

/// The elements of one list, set or map in one version, read on demand.
///
/// A small collection is in memory as a whole. Of a large one, only the pages required for a result
/// are read. Before the caller changes the collection, it must release its views, because the data
/// that they share would be copied.
package struct CollectionView: Sendable {
    enum Form: Sendable {
        case inline(Value)
        case stored(LargeCollection)
        case edited(EditedCollection)
    }

    let form: Form
    private let type: PropertyType

    init(_ form: Form, _ type: PropertyType) {
        self.form = form
        self.type = type
    }

    /// Creates a view of a list or map that is nested in another value.
    package init(_ value: Value) { self.init(.inline(value), PropertyType(.any)) }

    /// The number of elements.
    package var count: Int {
        switch form {
        case .inline(let value): value.elementCount
        case .stored(let collection): collection.count
        case .edited(let collection): collection.count
        }
    }

    /// The elements if they are in memory as a whole.
    package var inlineValue: Value? {
        if case .inline(let value) = form { return value }
        return nil
    }

    /// Returns all elements.
    ///
    /// - Complexity: O(elements)
    package func value() throws(StoreError) -> Value {
        switch form {
        case .inline(let value): value
        case .stored(let collection): try OutOfLine.stored(collection).value(type)
        case .edited(let collection): try OutOfLine.edited(collection).value(type)
        }
    }

    /// Returns elements of a list or set, by their positions.
    ///
    /// - Parameter range: A range within ``count``.
    /// - Complexity: O(length of the range + log elements)
    package func elements(in range: Range<Int>) throws(StoreError) -> [Value] {
        switch form {
        case .inline(.list(let values)), .inline(.set(let values)): return Array(values[range])
        case .inline(let value): return value.collectionEntries[range].map(\.value)
        case .stored(let collection):
            return try EditedCollection(collection).entries(in: range).map(\.value)
        case .edited(let collection): return try collection.entries(in: range).map(\.value)
        }
    }

    /// Returns the entries of a map, by the bytes of their keys.
    ///
    /// - Complexity: O(entries), of a small map O(entries log entries)
    package func entries() throws(StoreError) -> [(key: String, value: Value)] {
        let entries: [CollectionEntry]
        switch form {
        case .inline(let value): entries = value.collectionEntries
        case .stored(let collection):
            entries = try EditedCollection(collection).entries(in: 0..<collection.count)
        case .edited(let collection): entries = try collection.entries(in: 0..<collection.count)
        }
        return entries.map { ($0.key ?? "", $0.value) }
    }

    /// Returns the value for a key of a map, or `nil` if the map has no such key.
    ///
    /// - Complexity: O(log entries)
    package func element(forKey key: String) throws(StoreError) -> Value? {
        switch form {
        case .inline(.map(let entries)): return entries[key]
        case .inline: return nil
        case .stored(let collection):
            let position = try collection.position(ofKey: key)
            return position.isFound ? try collection.entry(at: position.index).value : nil
        case .edited(let collection):
            let position = try collection.position(ofKey: key)
            return position.isFound ? try collection.entry(at: position.index).value : nil
        }
    }

    /// Returns the position of a value in a set, or `nil` if the set does not contain it.
    ///
    /// - Complexity: O(log elements)
    package func position(of value: Value) throws(StoreError) -> Int? {
        let position: CollectionPosition
        switch form {
        case .inline(.set(let values)):
            position = try CollectionPosition.search(count: values.count) { index in
                values[index].order(relativeTo: value)
            }
        case .inline: return nil
        case .stored(let collection): position = try collection.position(of: value)
        case .edited(let collection): position = try collection.position(of: value)
        }
        return position.isFound ? position.index : nil
    }
}

extension RowGroupView {
    /// Returns one collection, with the changes of the overlay applied.
    func collectionView(
        _ property: PropertySchema, at row: Int
    ) throws(StoreError) -> CollectionView {
        let form: CollectionView.Form
        if let changed = patch?.values[property.id]?[UInt32(row)] {
            form = .inline(changed)
        } else if let edited = patch?.edited[property.id]?[UInt32(row)] {
            form = .edited(edited)
        } else {
            switch try baseCollection(property, at: row) {
            case .inline(let value): form = .inline(value)
            case .large(let collection): form = .stored(collection)
            }
        }
        return CollectionView(form, property.type)
    }
}

extension Table {
    /// Returns a list, set or map of an object, or `nil` if there is no such object.
    ///
    /// - Complexity: O(log objects)
    package func collection(
        of property: PropertySchema, of row: RowID
    ) throws(StoreError) -> CollectionView? {
        guard let (group, index) = try locate(row) else { return nil }
        return try group.collectionView(property, at: index)
    }
}
