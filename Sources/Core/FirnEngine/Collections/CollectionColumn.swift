package import FirnCodec
package import FirnValues

/// The collections of one property in one row group.
///
/// The elements of all rows are stored consecutively, so that a condition on elements is evaluated
/// on one column. Large collections are stored elsewhere and read on demand.
package struct CollectionColumn: Sendable {
    package let property: PropertySchema
    /// The starts: the inline elements of row i are `elements[starts[i]..<starts[i + 1]]`.
    ///
    /// There is one more start than there are rows.
    package let starts: [UInt32]
    package let elements: ColumnPage
    /// The keys of maps, parallel to the elements.
    package let keys: ColumnPage?
    /// The rows whose elements are not inline; their range of ``elements`` is empty.
    let outOfLine: [UInt32: OutOfLine]

    package var rowCount: Int { starts.count - 1 }

    /// The rows whose elements are not inline, ascending.
    package var outOfLineRows: [UInt32] { outOfLine.keys.sorted() }

    var memoryByteCount: Int {
        starts.count * 4 + elements.memoryByteCount + (keys?.memoryByteCount ?? 0)
    }

    /// Returns the range of the inline elements of a row.
    func range(of row: Int) -> Range<Int> { Int(starts[row])..<Int(starts[row + 1]) }

    /// Returns the number of elements of a row.
    package func count(at row: Int) -> Int {
        if !outOfLine.isEmpty, let large = outOfLine[UInt32(row)] { return large.count }
        return range(of: row).count
    }

    /// Appends the collections of rows, including large ones, to a vector of kind list, set or map.
    ///
    /// - Complexity: O(elements)
    package func append(
        _ rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError) {
        var index = 0
        while index < rows.count {
            if let large = outOfLine[rows[index]] {
                try append(large, to: &vector)
                vector.endCollection()
                index += 1
                continue
            }
            // Neighbouring rows are decoded together.
            var end = index + 1
            while end < rows.count, rows[end] == rows[end - 1] + 1, outOfLine[rows[end]] == nil {
                end += 1
            }
            let last = Int(rows[end - 1])
            let range = Int(starts[Int(rows[index])])..<Int(starts[last + 1])
            elements.decode(range, into: &vector.children[0])
            keys?.decode(range, into: &vector.children[1])
            for row in rows[index..<end] {
                vector.endCollection(adding: self.range(of: Int(row)).count)
            }
            index = end
        }
    }

    private func append(
        _ large: OutOfLine, to vector: inout ColumnVector
    ) throws(StoreError) {
        func add(_ entry: CollectionEntry) throws(StoreError) {
            try vector.append(element: entry, path: large.path)
        }
        try large.forEach(add)
    }

    /// Returns one collection as a value; links are ``Value/link(_:)``.
    package func value(at row: Int) throws(StoreError) -> Value {
        if let large = outOfLine[UInt32(row)] { return try large.value(property.type) }
        return inlineValue(at: row)
    }

    /// Returns the inline elements of a row.
    func inlineValue(at row: Int) -> Value {
        var values: [Value] = []
        var names: [String] = []
        for element in range(of: row) {
            values.append(property.type.fromColumn(elements.value(at: element)))
            if let keys, case .string(let name) = keys.value(at: element) { names.append(name) }
        }
        return property.type.collection(values, names)
    }
}

extension PropertyType {
    /// The kind of the vectors that hold values of this type in results.
    package var vectorKind: ValueTag {
        switch container {
        case .single: columnKind
        case .list: .list
        case .set: .set
        case .map: .map
        }
    }

    /// Converts a value of a column of this type: the row id of a link becomes a link.
    package func fromColumn(_ value: Value) -> Value {
        guard base == .link, let target, case .int(let row) = value else { return value }
        return .link(ObjectReference(classID: target, rowID: RowID(UInt64(bitPattern: row))))
    }

    /// Converts a value to the form in a column: a link becomes the row id of its target.
    package func toColumn(_ value: Value) -> Value {
        guard base == .link, case .link(let reference) = value else { return value }
        return .int(Int64(bitPattern: reference.rowID.rawValue))
    }

    /// Returns a collection of elements; a map also takes their keys.
    func collection(_ values: [Value], _ names: [String]) -> Value {
        switch container {
        case .single: values.first ?? .null
        case .list: .list(values)
        case .set: .set(values)
        case .map: .map(TextMap(zip(names, values)) { first, _ in first })
        }
    }
}

extension ColumnVector {
    /// Creates an empty vector for collections of a type.
    package init(collectionsOf type: PropertyType) {
        var children = [ColumnVector(kind: type.columnKind)]
        if type.container == .map { children.append(ColumnVector(kind: .string)) }
        self.init(kind: type.vectorKind, children: children)
    }

    /// Adds an element to the collection that ``endCollection()`` will end.
    ///
    /// - Throws: The errors of ``CollectionEntry/append(to:keys:path:)``.
    mutating func append(element entry: CollectionEntry, path: String) throws(StoreError) {
        var none: ColumnVector?
        let plain =
            if case .link(let reference) = entry.value, children[0].kind == .int {
                CollectionEntry(.int(Int64(bitPattern: reference.rowID.rawValue)))
            } else {
                CollectionEntry(entry.value)
            }
        try plain.append(to: &children[0], keys: &none, path: path)
        if children.count > 1 {
            try CollectionEntry(.string(entry.key ?? ""))
                .append(to: &children[1], keys: &none, path: path)
        }
    }

    /// Ends a row with all elements that were added since the last row.
    package mutating func endCollection() {
        offsets.append(UInt32(children[0].count))
        count += 1
    }

    /// Ends a row with some of the elements that were added.
    mutating func endCollection(adding elementCount: Int) {
        offsets.append((offsets.last ?? 0) + UInt32(elementCount))
        count += 1
    }
}
