package import FirnCodec
import FirnValues

extension CollectionEntry {
    /// Appends the element to a vector of its kind, and the key of a map to a vector of strings.
    ///
    /// A link becomes the row id of its target.
    ///
    /// - Throws: `corrupt` for an element of another kind than the vector, or `limitExceeded` if a
    ///   vector would exceed its size limit.
    func append(
        to values: inout ColumnVector, keys: inout ColumnVector?, path: String
    ) throws(StoreError) {
        guard fits(values.kind) else {
            throw .corrupt(
                path, "an element is of kind \(value.tag.name), not \(values.kind.name)")
        }
        // One more element always fits: it takes at most a few MiB.
        guard max(values.bytes.count, keys?.bytes.count ?? 0) < Int(Int32.max) else {
            throw StoreError(
                .limitExceeded, path: path,
                detail: "the elements of collections take more than 2 GiB")
        }
        values.append(value)
        if let key { keys?.append(.string(key)) }
    }

    private func fits(_ kind: ValueTag) -> Bool {
        switch (kind, value.tag) {
        case (_, .null), (.any, _), (.int, .link): true
        case (_, let tag): tag == kind
        }
    }
}

extension LargeCollection {
    /// Appends elements to a vector of their kind, and the keys of maps to a vector of strings.
    ///
    /// Elements that are links become the row ids of their targets.
    ///
    /// - Throws: ``StoreError`` with `corrupt` for an element of another kind than the vector, or
    ///   `limitExceeded` if the vector would exceed its size limit.
    /// - Complexity: O(elements + log n)
    package func append(
        _ range: Range<Int>, values: inout ColumnVector, keys: inout ColumnVector?
    ) throws(StoreError) {
        try forEach(in: range) { entry throws(StoreError) in
            try entry.append(to: &values, keys: &keys, path: path)
            return true
        }
    }
}

extension EditedCollection {
    /// Appends elements to vectors, like ``LargeCollection/append(_:values:keys:)``.
    func append(
        _ range: Range<Int>, values: inout ColumnVector, keys: inout ColumnVector?
    ) throws(StoreError) {
        try forEach(in: range) { entry throws(StoreError) in
            try entry.append(to: &values, keys: &keys, path: path)
            return true
        }
    }
}
